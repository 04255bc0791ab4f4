from cardsdb.games.kit.print.face import dossier

FACES = {"courier": dossier(lines=("city",)), "parcel": dossier(corner="weight")}
