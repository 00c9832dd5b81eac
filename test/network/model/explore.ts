import { canonicalKey } from "./canonical-key.js";
import { INVARIANT_NAMES, INVARIANTS, type InvariantName } from "./invariants.js";
import type { Scope } from "./scope.js";
import { firstState, type State } from "./state.js";
import { stepsOf } from "./steps.js";

/** What to check during the search, and its options. */
export interface Exploration {
  /** All of them by default. */
  readonly invariants?: readonly InvariantName[];
  readonly visit?: (state: State) => void;
  /** Whether states that differ in names only are visited separately. */
  readonly distinguishesNames?: boolean;
}

/** The result of the search. */
export interface Found {
  readonly states: number;
  /** The search ends at the first state that breaks an invariant. */
  readonly violation?: Violation;
}

/** A shortest run that breaks an invariant. */
export interface Violation {
  readonly invariant: InvariantName;
  readonly trace: readonly string[];
}

interface Reached {
  readonly label: string | undefined;
  readonly from: Reached | undefined;
}

/**
 * Visits every reachable state, breadth first, and checks each.
 *
 * Of states that differ in names only, the first one reached represents all, with its own names:
 * the labels of a trace are therefore consistent.
 */
export function explore(scope: Scope, exploration: Exploration = {}): Found {
  const { invariants, visit, distinguishesNames = false } = exploration;
  const names = invariants ?? INVARIANT_NAMES;
  const seen = new Set<string>();
  let level: { readonly state: State; readonly reached: Reached }[] = [];
  const enter = (state: State, reached: Reached): Violation | undefined => {
    const key = distinguishesNames ? JSON.stringify(state) : canonicalKey(state, scope);
    if (seen.has(key)) return undefined;
    seen.add(key);
    visit?.(state);
    level.push({ state, reached });
    const invariant = names.find((name) => !INVARIANTS[name](state));
    return invariant && { invariant, trace: traceOf(reached) };
  };
  enter(firstState(scope), { label: undefined, from: undefined });
  while (level.length > 0) {
    const current = level;
    level = [];
    for (const { state, reached } of current) {
      for (const { label, next } of stepsOf(state, scope)) {
        const violation = enter(next, { label, from: reached });
        if (violation !== undefined) return { states: seen.size, violation };
      }
    }
  }
  return { states: seen.size };
}

function traceOf(last: Reached): readonly string[] {
  const labels: string[] = [];
  for (let each: Reached | undefined = last; each !== undefined; each = each.from) {
    if (each.label !== undefined) labels.unshift(each.label);
  }
  return labels;
}
