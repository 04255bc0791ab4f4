// Calls every operation of the API at a given address, and prints method, path and status of each call as JSON. The
// compiler checks that all calls and all parts of answers that are read here are in the schema. test_typescript_client.py
// runs it.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

declare const process: { argv: string[] };
const [, , baseUrl = "", league = ""] = process.argv;
const api = createClient<paths>({ baseUrl });
const called: [string, string, number][] = [];
api.use({
  onResponse({ request, response, schemaPath }) {
    called.push([request.method, schemaPath, response.status]);
  },
});

type Told = components["schemas"]["Error"][];

/** Return the data of an answer, or throw an error with the messages of the faults. */
async function told<T>(call: Promise<{ data?: T; error?: Told; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (error || data === undefined) {
    throw new Error(`${response.url}: ${response.status} ${error?.map((one) => one.message).join(" ")}`);
  }
  return data;
}

function same<T>(found: T, wanted: T): void {
  if (found !== wanted) throw new Error(`${String(found)} is not ${String(wanted)}`);
}

// The catalogue.
const index = await told(api.GET("/api/v1/"));
same(index.addresses.some((one) => one.methods.includes("GET")), true);
const bulk = await told(api.GET("/api/v1/bulk/"));
same(bulk.files.every((file) => file.size > 0), true);
const named = await told(api.GET("/api/v1/cards/", { params: { query: { q: "kai", fields: "name" } } }));
const first: string | undefined = named.results[0]?.name;
same([first, named.results[0]?.key].join(), "Kai,");
const kai = await told(
  api.GET("/api/v1/cards/{game_slug}/{code}/", { params: { path: { game_slug: "spycraft", code: "kai" } } }),
);
same(kai.prints?.[0]?.set !== undefined && (kai.effects?.length ?? 0) >= 0, true);
const games = await told(api.GET("/api/v1/games/"));
const slug = games.results[0]?.slug ?? "";
const game = await told(api.GET("/api/v1/games/{slug}/", { params: { path: { slug } } }));
same(game.formats.length, games.results[0]?.formats?.length ?? -1);
const guide = await told(api.GET("/api/v1/games/{slug}/play/", { params: { path: { slug: "spycraft" } } }));
same(guide.parts.every((part) => part.steps.every((step) => step.sources.length >= 0)), true);
const sets = await told(api.GET("/api/v1/sets/", { params: { query: { game: "spycraft" } } }));
same(sets.results.every((set) => (set.known ?? -1) >= 0), true);
const rules = await told(api.GET("/api/v1/rules/"));
same(typeof rules.results[0]?.pages?.length, "number");
const terms = await told(api.GET("/api/v1/glossary/"));
same(terms.results[0]?.source?.document === "", false);
const understood = await told(api.GET("/api/v1/search/explain/", { params: { query: { q: "craft>=4" } } }));
same(understood.tree?.kind, "term");

// Lists and files that are not kept.
const text = "Leaders:\n1 Li Cong\n\nAgents:\n2 Kai";
const verdict = await told(api.POST("/api/v1/decks/validate/", { body: { text, repair: true } }));
same(verdict.verdict, "incomplete");
same(verdict.violations[0]?.severity, "incomplete");
const completed = await told(api.POST("/api/v1/decks/complete/", { body: { game: "spycraft", text } }));
same(completed.proposals.every((proposal) => proposal.verdict === "legal"), true);
const list = { game: "spycraft", text, to: "json" } as const;
const written = await told(api.POST("/api/v1/decks/convert/", { body: list }));
const read = await told(
  api.POST("/api/v1/decks/import/", { body: { content: written.text, filename: written.filename } }),
);
same(read.report.game, "spycraft");

// A deck, from its first line to its last.
const body = { game: "spycraft", name: "Nine Tiger", text, visibility: "public" } as const;
const made = await told(api.POST("/api/v1/decks/", { body }));
const path = { link: made.id };
const header = { "X-Deck-Key": made.edit_key ?? "" };
const params = { path, header };
const deck = "/api/v1/decks/{link}/" as const;
same((await told(api.GET(deck, { params }))).lines[0]?.count, 1);
const listed = await told(api.GET("/api/v1/decks/", { params: { query: { order: "newest" } } }));
same(listed.results.some((one) => one.id === made.id), true);
const changed = await told(api.PATCH(deck, { params, body: { add: { card: "kai", count: 1 } } }));
same(changed.words, "+1 Kai");
same((await told(api.POST("/api/v1/decks/{link}/undo/", { params }))).words, "-1 Kai");
same((await told(api.POST("/api/v1/decks/{link}/redo/", { params }))).words, "+1 Kai");
same((await told(api.PUT(deck, { params, body: { ...body, name: "Ten Tiger" } }))).name, "Ten Tiger");
const states = await told(api.GET("/api/v1/decks/{link}/revisions/", { params }));
const number = states.results[0]?.number ?? -1;
const state = await told(
  api.GET("/api/v1/decks/{link}/revisions/{number}/", { params: { header, path: { ...path, number } } }),
);
same(state.content.name, "Ten Tiger");
const numbers = await told(api.GET("/api/v1/decks/{link}/numbers/", { params }));
same(numbers.piles[0]?.slug, "agency");
const odds = await told(
  api.GET("/api/v1/decks/{link}/numbers/odds/", {
    params: { ...params, query: { a: "type:agent", a_is: "at-least", a_count: 1 } },
  }),
);
same(odds.kinds["a"]?.size, 2);
const hands = await told(
  api.GET("/api/v1/decks/{link}/numbers/hands/", { params: { ...params, query: { seed: "tiger" } } }),
);
same(hands.seed, "tiger");
const copy = await told(api.POST("/api/v1/decks/{link}/fork/", { params }));
same(copy.visibility, "private");
const formats = await told(api.GET("/api/v1/formats/"));
same(formats.results.some((one) => one.id === league), true);
const format = await told(api.GET("/api/v1/formats/{link}/", { params: { path: { link: league } } }));
same(format.rules?.some((rule) => rule.own), true);

// Sheets, at once and as a job.
const printed: components["schemas"]["Sheets"] = { deck: made.id, marks: "corners", ruled: "no" };
const pdf = await told(api.POST("/api/v1/sheets/", { params: { header }, body: printed, parseAs: "blob" }));
same(pdf instanceof Blob && pdf.size > 1000, true);

async function asked(): Promise<{ path: { link: string }; header: { "X-Job-Key": string } }> {
  const big = { game: "spycraft", text: "50 Kai\n50 Li", copies: "20", backs: "long", header: "no" } as const;
  const job = await told(api.POST("/api/v1/sheets/", { body: big }));
  if (!("address" in (job as object))) throw new Error("This is no job.");
  const { address, key = "" } = job as components["schemas"]["Job"];
  return { path: { link: address.split("/").at(-2) ?? "" }, header: { "X-Job-Key": key } };
}

const job = await asked();
let now = await told(api.GET("/api/v1/sheets/jobs/{link}/", { params: job }));
for (let tries = 0; tries < 240 && now.state !== "done"; tries += 1) {
  await new Promise((after) => setTimeout(after, 250));
  now = await told(api.GET("/api/v1/sheets/jobs/{link}/", { params: job }));
}
same(now.state, "done");
const file = await told(api.GET("/api/v1/sheets/jobs/{link}/file/", { params: job, parseAs: "blob" }));
same(file instanceof Blob && file.size > 1000, true);
await told(api.DELETE("/api/v1/sheets/jobs/{link}/", { params: job }));

const copied = { path: { link: copy.id }, header: { "X-Deck-Key": copy.edit_key ?? "" } };
await api.DELETE(deck, { params: copied });
await api.DELETE(deck, { params });
console.log(JSON.stringify(called));
