"""URLs of the app ``printing``, included by ``cardsdb/urls.py``.

``page(route, view, name, **more)`` names a URL after its view's function unless a name is given; ``more``,
such as ``slug=``, are arguments of the view. Each URL needs a row in ``tests/support/permission_table.py``;
``tests/house/test_permissions.py`` asks it as every kind of visitor.
"""

from django.urls import path

from cardsdb.site.shortcuts import page
from printing.exports.export import SHEETS
from printing.exports.kinds import EXPORT_KINDS
from printing.web import (
    api,
    calibration_views,
    drawing_views,
    job_views,
    mine,
    own_views,
    picture_views,
    print_views,
)

urlpatterns = [
    page("mine/", mine.mine),
    # No code or template names this URL.
    path("api/v1/sheets/", api.Sheets.as_view()),
    page("api/v1/sheets/jobs/<slug:link>/", api.PrintJobDetail.as_view(), "api_print_job"),
    page("api/v1/sheets/jobs/<slug:link>/file/", api.PrintJobFile.as_view(), "api_print_job_file"),
    page("print/", print_views.print_page, "print"),
    page("print/sheets.pdf", print_views.print_file, "sheets", slug=SHEETS),
    page("print/presets/", print_views.presets, "print_presets"),
    page("print/jobs/", job_views.print_jobs),
    page("print/jobs/<slug:link>/", job_views.print_job),
    page("print/jobs/<slug:link>/file/", job_views.job_file, "print_job_file"),
    page("print/jobs/<slug:link>/cancel/", job_views.cancel_job, "print_job_cancel"),
    page("print/jobs/<slug:link>/again/", job_views.repeat_job, "print_job_again"),
    page("print/service/", print_views.service_page, "print_ordering"),
    # One URL for each kind of file, such as print/cards.zip.
    *(
        page(f"print/{kind.file}", print_views.print_file, f"print_{kind.slug}", slug=kind.slug)
        for kind in EXPORT_KINDS.values()
    ),
    page("print/worksheets.pdf", drawing_views.deck_sheets, "print_worksheets"),
    page("games/<slug:slug>/aids/<slug:aid>/sheet.pdf", drawing_views.aid_sheet),
    page("decks/<slug:link>/picture.png", drawing_views.deck_picture_file, "deck_picture"),
    page("print/calibration/", calibration_views.calibration_page, "calibration"),
    page("print/calibration/sheet.pdf", calibration_views.sheet, "calibration_sheet"),
    page("print/calibration/<int:pk>/", calibration_views.printer_page, "calibration_printer"),
    page("print/calibration/<int:pk>/delete/", calibration_views.delete_printer, "calibration_delete"),
    page("print/texts/", own_views.text_list, "card_texts"),
    page("print/texts/<slug:game_slug>/<slug:code>/", own_views.card_text),
    page("own/", own_views.own),
    page("own/add/", own_views.own_add),
    page("own/jobs/<slug:link>/", own_views.own_job),
    page("own/faces/<slug:game_slug>/<slug:code>.svg", drawing_views.own_face),
    page("own/forget/", own_views.own_forget),
    page("own/cutout-own-texts.csv", own_views.own_export),
    page("pictures/", picture_views.pictures),
    page("pictures/place/", picture_views.place, "pictures_place"),
    page("pictures/all/", picture_views.change_all, "pictures_change"),
    page("pictures/<int:pk>/", picture_views.picture),
    page("pictures/<int:pk>/delete/", picture_views.delete, "picture_delete"),
    page("pictures/files/<slug:sha256>/", picture_views.file, "picture_file"),
    page("pictures/files/<slug:sha256>/small/", picture_views.small, "picture_small"),
    page("cards/<slug:game_slug>/faces.svg", drawing_views.faces, "faces_svg"),
    # face.svg, face.png, face.pdf
    *(
        page(f"cards/<slug:game_slug>/<slug:code>/face.{kind}", drawing_views.face, f"face_{kind}", kind=kind)
        for kind in drawing_views.CONTENT_TYPES
    ),
]
