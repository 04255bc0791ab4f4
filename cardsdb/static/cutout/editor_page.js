// The editor, in place of site.js. Its requests are htmx's, which comes before. It begins in a task of its own, not in one piece with htmx:
// collected into one file this stands before all of it. Modules that lie apart run before it, which does no harm.
await new Promise((go) => setTimeout(go));
import "./site.js";
import "./offline_editor.js";
import "./editor.js";
import "./editor_drag.js";
import "./editor_peek.js";
