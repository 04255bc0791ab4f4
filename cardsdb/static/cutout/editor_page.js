// The editor, in place of site.js. Its requests are htmx's, which comes before.
import "./site.js";
import "./offline_editor.js";
import "./editor.js";
import "./editor_drag.js";
import "./editor_peek.js";
