"""Addresses of printing."""

from __future__ import annotations

from django.urls import path

from printing.exports.export import SHEETS
from printing.exports.kinds import EXPORT_KINDS
from printing.web import api, calibration_views, drawing_views, own_views, picture_views, print_views

urlpatterns = [
    path("api/v1/sheets/", api.Sheets.as_view()),
    path("api/v1/sheets/jobs/<slug:link>/", api.PrintJobDetail.as_view(), name="api_print_job"),
    path("api/v1/sheets/jobs/<slug:link>/file/", api.PrintJobFile.as_view(), name="api_print_job_file"),
    path("print/", print_views.print_page, name="print"),
    path("print/sheets.pdf", print_views.print_file, {"slug": SHEETS}, name="sheets"),
    path("print/presets/", print_views.presets, name="print_presets"),
    path("print/jobs/", print_views.print_jobs, name="print_jobs"),
    path("print/jobs/<slug:link>/", print_views.print_job, name="print_job"),
    path("print/jobs/<slug:link>/file/", print_views.job_file, name="print_job_file"),
    path("print/jobs/<slug:link>/cancel/", print_views.cancel_job, name="print_job_cancel"),
    path("print/jobs/<slug:link>/again/", print_views.repeat_job, name="print_job_again"),
    path("print/service/", print_views.service_page, name="print_ordering"),
    *(
        path(f"print/{one.file}", print_views.print_file, {"slug": one.slug}, name=f"print_{one.slug}")
        for one in EXPORT_KINDS.values()
    ),
    path("print/worksheets.pdf", drawing_views.deck_sheets, name="print_worksheets"),
    path("games/<slug:slug>/aids/<slug:aid>/sheet.pdf", drawing_views.aid_sheet, name="aid_sheet"),
    path("decks/<slug:link>/picture.png", drawing_views.deck_picture_file, name="deck_picture"),
    path("print/calibration/", calibration_views.calibration_page, name="calibration"),
    path("print/calibration/sheet.pdf", calibration_views.sheet, name="calibration_sheet"),
    path("print/calibration/<int:pk>/", calibration_views.printer_page, name="calibration_printer"),
    path("print/calibration/<int:pk>/delete/", calibration_views.delete_printer, name="calibration_delete"),
    path("print/texts/", own_views.text_list, name="card_texts"),
    path("print/texts/<slug:game_slug>/<slug:code>/", own_views.card_text, name="card_text"),
    path("own/", own_views.own, name="own"),
    path("own/add/", own_views.own_add, name="own_add"),
    path("own/jobs/<slug:link>/", own_views.own_job, name="own_job"),
    path("own/faces/<slug:game_slug>/<slug:code>.svg", drawing_views.own_face, name="own_face"),
    path("own/forget/", own_views.own_forget, name="own_forget"),
    path("own/cutout-own-texts.csv", own_views.own_export, name="own_export"),
    path("pictures/", picture_views.pictures, name="pictures"),
    path("pictures/place/", picture_views.place, name="pictures_place"),
    path("pictures/all/", picture_views.change_all, name="pictures_change"),
    path("pictures/<int:pk>/", picture_views.picture, name="picture"),
    path("pictures/<int:pk>/delete/", picture_views.delete, name="picture_delete"),
    path("pictures/files/<slug:sha256>/", picture_views.file, name="picture_file"),
    path("pictures/files/<slug:sha256>/small/", picture_views.small, name="picture_small"),
    path("cards/<slug:game_slug>/faces.svg", drawing_views.faces, name="faces_svg"),
    *(
        path(
            f"cards/<slug:game_slug>/<slug:code>/face.{kind}",
            drawing_views.face,
            {"kind": kind},
            name=f"face_{kind}",
        )
        for kind in drawing_views.CONTENT_TYPES
    ),
]
