// The editor, in place of site.js. Its requests are htmx's, which comes before. It begins in a task of its own, not in one piece with htmx.
await new Promise((go) => setTimeout(go));
import "./site.js";
import "./offline_editor.js";
import "./editor.js";
import "./editor_drag.js";
import "./editor_peek.js";
