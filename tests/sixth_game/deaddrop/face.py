from cardsdb.games.kit.face import dossier

FACES = {"courier": dossier(lines=("city",)), "parcel": dossier(corner="weight")}
