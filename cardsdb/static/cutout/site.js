// The scripts of every page.
import "./search.js";
import "./peek.js";
import "./whole_card.js";
import "./unsent.js";
import "./offline.js";
import "./htmx_later.js";
import "./copying.js";
