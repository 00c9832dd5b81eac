import { describe, expect, it } from "vitest";
import { report } from "../../support/report.js";
import { canonicalKey } from "./canonical-key.js";
import { explore } from "./explore.js";
import { forgetBefore } from "./forget.js";
import { INVARIANT_NAMES, type InvariantName } from "./invariants.js";
import type { Fault, Scope } from "./scope.js";
import type { State } from "./state.js";

/**
 * `npm run long -- model` explores more rounds and restarts, and every position of the liar in each
 * test.
 */
const isLong = process.env.PLINTH_MODEL !== undefined;
const POSITIONS = [0, 1, 2, 3];
const LIMIT_MS = isLong ? 3_600_000 : 300_000;

/** The depth of the search with all rules, and with some of the rules about bodies. */
const EXTENTS = isLong ? [extent(4, 2), extent(3, 4), extent(2, 6)] : [extent(3, 1), extent(2, 2)];
const BODY_EXTENTS = isLong ? [extent(3, 2)] : [extent(2, 1)];
/** Executed blocks are a part of the state then. */
const KNOWN_HASH_EXTENTS = isLong ? [extent(3, 1), extent(2, 2)] : [extent(2, 1)];

const scope: Scope = {
  dialect: "qbft",
  rounds: 3,
  restarts: 2,
  liar: 0,
  faults: new Set(),
  order: "by-round",
};

/** The behavior of the code before the rules about bodies. */
const OLD_RULES: readonly Fault[] = [
  "known-hash-passes",
  "keeps-received-body",
  "drops-certificate",
];

describe("four validators, one of them a liar", () => {
  it.each(POSITIONS)(
    "keep every invariant, also through restarts; the liar is v%d",
    (liar) => {
      for (const explored of EXTENTS) {
        const decidedIn = new Set<number>();

        const found = explore(
          { ...scope, ...explored, liar },
          { visit: ({ sealed: [a, b] }) => decidedIn.add(Math.max(a, b) - 1) },
        );
        report("model", { liar, ...explored, states: found.states });

        expect(found.violation).toBeUndefined();
        // A model in which no block is decided would keep every invariant.
        expect(decidedIn.size).toBe(1 + explored.rounds);
      }
    },
    LIMIT_MS,
  );

  it.each(isLong ? POSITIONS : [0])("may act in any order; the liar is v%d", (liar) => {
    const any: Scope = { ...scope, rounds: 2, liar, order: "any" };
    const outcomes = new Set<string>();
    const sorted = new Set<string>();

    const found = explore(any, { visit: (state) => outcomes.add(outcomeOf(state, any)) });
    explore(
      { ...any, order: "by-round" },
      {
        visit: (state) => {
          if (state.phase === any.rounds) sorted.add(outcomeOf(state, any));
        },
      },
    );
    report("model, any order", { liar, states: found.states, outcomes: outcomes.size });

    expect(found.violation).toBeUndefined();
    expect(sorted).toEqual(outcomes);
  });

  it.each(isLong ? POSITIONS : [0])("may have any names; the liar is v%d", (liar) => {
    const named: Scope = { ...scope, rounds: 2, restarts: 1, liar };
    const keys = new Set<string>();

    const visit = (state: State) => keys.add(canonicalKey(state, named));
    const { states } = explore(named, { visit, distinguishesNames: true });
    report("model, all names", { liar, states, classes: keys.size });

    expect(keys.size).toBe(explore(named).states);
  });
});

describe("a wrong or a missing body", () => {
  it.each<KeptRule>([
    { rule: "bodies are verified first", faults: ["keeps-received-body", "drops-certificate"] },
    { rule: "the executed block is kept", faults: ["known-hash-passes", "drops-certificate"] },
    {
      rule: "certificates are never dropped",
      faults: ["known-hash-passes", "keeps-received-body"],
    },
    { rule: "certificates are never dropped and any body passes", faults: ["body-not-verified"] },
    { rule: "certificates are never dropped and bodies get lost", faults: ["restart-loses-body"] },
  ])(
    "splits no chain if $rule",
    ({ faults }) => {
      const invariants = INVARIANT_NAMES.filter(
        (name) => name !== "right body" || !faults.includes("body-not-verified"),
      );
      for (const explored of bodyScopes(faults)) {
        const found = explore({ ...scope, ...explored, faults: new Set(faults) }, { invariants });
        report(`model, ${faults.join(", ")}`, { ...explored, states: found.states });

        expect(found.violation).toBeUndefined();
      }
    },
    LIMIT_MS,
  );
});

describe("the model finds", () => {
  it.each<FoundBug>([
    { faults: OLD_RULES, breaks: ["agreement", "decided is claimed"] },
    {
      faults: ["restart-loses-body", "drops-certificate"],
      breaks: ["agreement", "decided is claimed"],
    },
    { faults: ["body-not-verified"], breaks: ["right body"] },
    {
      faults: ["journal-not-read"],
      breaks: ["agreement", "one message", "decided is claimed", "one certificate"],
    },
    { faults: ["resumes-in-round-0"], breaks: ["agreement"], order: "any" },
    { faults: ["commit-not-durable"], breaks: ["agreement", "decided is claimed"] },
    { faults: ["certificate-not-claimed"], breaks: ["agreement", "decided is claimed"] },
    {
      faults: ["small-quorum"],
      breaks: ["agreement", "decided is claimed", "one certificate"],
    },
    { faults: ["claim-not-checked"], breaks: ["agreement", "decided is claimed"] },
  ])("what $faults.0 breaks", ({ faults, breaks, order = "by-round" }) => {
    for (const invariant of breaks) {
      const { states, violation } = explore(
        { ...scope, rounds: 2, restarts: isLong ? 2 : 1, faults: new Set(faults), order },
        { invariants: [invariant] },
      );

      expect(violation?.invariant).toBe(invariant);
      printTrace(`${faults.join(", ")}: ${invariant}, ${states} states`, violation?.trace ?? []);
    }
  });

  it.runIf(isLong)("the split of the old rules with IBFT 2.0", () => {
    const { states, violation } = explore(
      { ...scope, dialect: "ibft", restarts: 1, faults: new Set(OLD_RULES) },
      { invariants: ["agreement"] },
    );

    expect(violation?.invariant).toBe("agreement");
    printTrace(`IBFT 2.0, old rules: agreement, ${states} states`, violation?.trace ?? []);
  });
});

interface KeptRule {
  readonly rule: string;
  readonly faults: readonly Fault[];
}

interface FoundBug {
  readonly faults: readonly Fault[];
  readonly breaks: readonly InvariantName[];
  readonly order?: Scope["order"];
}

function extent(rounds: number, restarts: number): Pick<Scope, "rounds" | "restarts"> {
  return { rounds, restarts };
}

/** The dialects differ only in which bodies the liar can replace. */
function bodyScopes(
  faults: readonly Fault[],
): readonly Pick<Scope, "rounds" | "restarts" | "liar" | "dialect">[] {
  const dialects = isLong ? (["qbft", "ibft"] as const) : (["qbft"] as const);
  const liars = isLong ? POSITIONS : [0];
  const extents = faults.includes("known-hash-passes") ? KNOWN_HASH_EXTENTS : BODY_EXTENTS;
  return extents.flatMap((each) =>
    dialects.flatMap((dialect) => liars.map((liar) => ({ ...each, dialect, liar }))),
  );
}

/** The outcome of a run: certificates, claims, decided headers and restarts left, without names. */
function outcomeOf(state: State, explored: Scope): string {
  return canonicalKey(forgetBefore(state, explored.rounds), explored);
}

function printTrace(name: string, trace: readonly string[]): void {
  const lines = trace.map((line, index) => `  ${index + 1}. ${line}`);
  if (isLong) process.stdout.write(`${[name, ...lines].join("\n")}\n`);
  else report(name, { steps: trace.length });
}
