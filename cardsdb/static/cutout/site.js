// What every page has. It begins in a task of its own, so that the browser may lay out and show the page between.
await new Promise((go) => setTimeout(go));
import "./search.js";
import "./peek.js";
import "./unsent.js";
import "./offline.js";
import "./htmx_later.js";
import "./copying.js";
