// The entry point of the editor, loaded instead of site.js and after htmx, which sends its requests. It starts in its own task, so that the
// browser can paint between htmx and the editor. When modules are not bundled they run earlier, which does no harm.
await new Promise((go) => setTimeout(go));
import "./site.js";
import "./offline_editor.js";
import "./editor.js";
import "./editor_drag.js";
import "./editor_peek.js";
