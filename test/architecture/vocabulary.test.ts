import { describe, expect, it } from "vitest";
import { countPhrases, findWords, type Vocabulary } from "./find-words.js";
import { fixture, repository } from "./source-tree.js";

// `docs/style.md`, "Words", has the replacements.
const vocabulary: Vocabulary = {
  words: [
    ...["told", "tells", "minds", "whoever", "nobody", "somebody", "everybody", "anew"],
    ...["looked at", "looks at", "comes early"],
  ],
  endings: ["Ground", "KeptPool", "LivePool", "WorkDesk", "CandidateSource"],
};

/** Phrases that describe instead of naming, and British spellings. Some uses are right: hence budgets. */
const PHRASES = [
  "answer(?:s|ed|ing)?",
  "surroundings?",
  "(?:when|is|are|be|was|were) left out",
  "broken off",
  "under way",
  "of (?:its|their|our|your) own",
  "so long",
  "goes? on",
  "is meant",
  "no good",
  "to be had",
  "(?:command-line|the|its|other|some|with|of) words",
  "reorganisation\\w*|behaviour\\w*|colours?|licences?|neighbours?|cancelled|recognis\\w+",
];

/** How often they may occur. A higher count means: name the thing; a lower one: lower the budget. */
const BUDGETS: Readonly<Record<string, number>> = {
  ".": 1,
  cli: 7,
  core: 218,
  "create-plugin": 7,
  docs: 19,
  examples: 14,
  kits: 106,
  plugins: 448,
  scripts: 0,
  test: 285,
};

describe("sources and documents", () => {
  it("use the words of the field", () => {
    expect(findWords(repository, vocabulary)).toEqual([]);
  });

  it("keep to their budgets of phrases", () => {
    expect(countPhrases(repository, PHRASES)).toEqual(BUDGETS);
  });
});

describe("the search for words", () => {
  it("names words and identifiers with their lines", () => {
    expect(findWords(fixture("vocabulary-loose"), vocabulary)).toEqual([
      "README.md:3: Whoever",
      "core/src/pool.ts:1: told",
      "core/src/pool.ts:1: looked at",
      "core/src/pool.ts:2: PoolGround",
      "core/src/pool.ts:3: KeptPool",
      "core/src/pool.ts:6: KeptPool",
      "docs/guide.md:1: Nobody",
      "scripts/start.mjs:1: anew",
    ]);
  });

  it("ignores other words, generated pages and files of other kinds", () => {
    expect(findWords(fixture("vocabulary-clean"), vocabulary)).toEqual([]);
  });
});
