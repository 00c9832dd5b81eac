import type { BftMessage } from "@plinth/kit-bft";

/** A fault, or the end of one, at a time. */
export type Fault =
  | {
      readonly at: number;
      readonly kind: "crash";
      readonly node: number;
      readonly losesHead: boolean;
    }
  | { readonly at: number; readonly kind: "start"; readonly node: number }
  | { readonly at: number; readonly kind: "partition"; readonly groups: readonly number[] }
  | { readonly at: number; readonly kind: "heal" }
  /**
   * The node crashes at one of its next durable writes, before or after it is made; it sends no
   * message.
   */
  | {
      readonly at: number;
      readonly kind: "crash at write";
      readonly node: number;
      readonly write: number;
      readonly isWritten: boolean;
      readonly restartsAfterMs: number;
    }
  /** Messages of a kind and of rounds below a limit are lost, except those to one node. */
  | {
      readonly at: number;
      readonly kind: "lose";
      readonly message: BftMessage["kind"];
      readonly belowRound: number;
      readonly reachesOnly: number;
    }
  | { readonly at: number; readonly kind: "lose nothing" }
  /** The first node that decides a block is isolated with it; the others optionally restart. */
  | {
      readonly at: number;
      readonly kind: "isolate decider";
      readonly restarts: boolean;
      readonly forMs: number;
    }
  /** A copy of chain and journal is stored. */
  | { readonly at: number; readonly kind: "copy"; readonly node: number }
  /** A stopped node is restored from its copy. */
  | { readonly at: number; readonly kind: "restore"; readonly node: number }
  /** A stopped node loses chain and journal. */
  | { readonly at: number; readonly kind: "erase"; readonly node: number }
  /** The block that a stopped node was prepared for has another body on its disk. */
  | { readonly at: number; readonly kind: "damage"; readonly node: number };

/** How messages travel during faults. */
export interface Weather {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly loss: number;
  readonly duplication: number;
}

/** What changes at a block. */
export interface SimulatedTransition {
  readonly block: number;
  /** Validators by their index; unchanged by default. */
  readonly validators?: readonly number[];
  readonly blockPeriodSeconds?: number;
  /** Whether extra data lists the validators; unchanged by default. */
  readonly isListed?: boolean;
}

/** Everything that happens in a run, so that it can be replayed and shrunk. */
export interface Schedule {
  readonly seed: number;
  readonly validators: number;
  /** The lies of some validators, by their index. */
  readonly byzantine: Readonly<Record<number, readonly string[]>>;
  readonly weather: Weather;
  readonly faults: readonly Fault[];
  readonly transitions: readonly SimulatedTransition[];
  /** When the last fault has ended. */
  readonly endsAt: number;
}

/**
 * Whether a validator that lost its database, or had it restored, knows from elsewhere how far it
 * has signed.
 *
 * It may have to be silent for a height: with it, the tolerance is as with one more liar.
 */
const HAS_WATERMARK = true;

const FAULT_PHASE_MS = 7000;
const MAX_FAULTS = 6;

type Dice = (bound: number) => number;

/** A random schedule. */
export function randomSchedule(
  seed: number,
  random: () => number,
  behaviors: readonly string[],
): Schedule {
  const dice = (bound: number) => Math.floor(random() * bound);
  // Most are of the smallest size that tolerates a liar: larger ones take longer and show the same.
  const validators = Math.max(4, dice(9) - 1);
  const byzantine: Record<number, readonly string[]> = {};
  const liars = Math.min(maxLiars(validators), dice(maxLiars(validators) + 2));
  for (let count = liars; count > 0; count--) {
    byzantine[dice(validators)] = randomLies(dice, behaviors);
  }
  const weather = {
    delayMs: 1 + dice(100),
    jitterMs: dice(3) === 0 ? dice(600) : dice(30),
    loss: dice(4) === 0 ? random() * 0.4 : 0,
    duplication: dice(4) === 0 ? random() * 0.3 : 0,
  };
  // A round that is prepared and not decided is where agreement is hard.
  const faults: Fault[] = dice(2) === 0 ? loseCommits(dice, validators) : [];
  const mayForget = HAS_WATERMARK && Object.keys(byzantine).length < maxLiars(validators);
  const forgetful = mayForget ? dice(validators) : undefined;
  for (let count = dice(MAX_FAULTS); count > 0; count--) {
    faults.push(...randomFault(dice, validators, forgetful));
  }
  faults.sort((a, b) => a.at - b.at);
  const faulty = new Set([...Object.keys(byzantine).map(Number), forgetful ?? -1]);
  const transitions = dice(3) === 0 ? randomTransitions(dice, validators, faulty) : [];
  return { seed, validators, byzantine, weather, faults, transitions, endsAt: FAULT_PHASE_MS };
}

/**
 * One lie or more.
 *
 * Liars do most harm when their round changes arrive first, and when only the others know what was
 * prepared.
 */
function randomLies(dice: Dice, behaviors: readonly string[]): readonly string[] {
  const any = () => behaviors[dice(behaviors.length)] ?? "silent";
  const lies = [
    ...(dice(3) === 0 ? ["gives up early"] : []),
    any(),
    ...(dice(4) === 0 ? [any()] : []),
    ...(dice(3) === 0 ? ["claims nothing"] : []),
  ];
  return [...new Set(lies)];
}

function randomFault(
  dice: Dice,
  validators: number,
  forgetful: number | undefined,
): readonly Fault[] {
  const at = dice(FAULT_PHASE_MS - 2000);
  const until = Math.min(FAULT_PHASE_MS, at + 200 + dice(4000));
  const node = dice(validators);
  const kinds = [partition, crashOne, crashAll, crashAtWrite, restartOften, lose, isolateDecider];
  const databases =
    forgetful === undefined ? [] : [loseDatabase, restoreDatabase, damageBody, damageBody];
  const all = [...kinds, lose, isolateDecider, crashAtWrite, ...databases];
  return all[dice(all.length)]?.({ dice, validators, at, until, node, forgetful }) ?? [];
}

interface FaultParts {
  readonly dice: Dice;
  readonly validators: number;
  readonly at: number;
  readonly until: number;
  readonly node: number;
  /** The node whose database may be lost. */
  readonly forgetful: number | undefined;
}

function partition({ dice, validators, at, until }: FaultParts): readonly Fault[] {
  const groups = Array.from({ length: validators }, () => dice(2));
  return [
    { at, kind: "partition", groups },
    { at: until, kind: "heal" },
  ];
}

function crashOne({ dice, at, until, node }: FaultParts): readonly Fault[] {
  return [
    { at, kind: "crash", node, losesHead: dice(2) === 0 },
    { at: until, kind: "start", node },
  ];
}

function crashAll(parts: FaultParts): readonly Fault[] {
  const { dice, validators, at, until } = parts;
  return Array.from({ length: validators }, (_, node) =>
    crashOne({ ...parts, node, at: at + dice(50), until: until + dice(2000) }),
  ).flat();
}

function restartOften(parts: FaultParts): readonly Fault[] {
  const { dice, at } = parts;
  const times = Array.from({ length: 2 + dice(4) }, (_, index) => at + index * (20 + dice(300)));
  return times.flatMap((each) => crashOne({ ...parts, at: each, until: each + 5 + dice(20) }));
}

function crashAtWrite({ dice, validators, at, node }: FaultParts): readonly Fault[] {
  const count = dice(3) === 0 ? validators - 1 : 1;
  return Array.from({ length: count }, (_, index) => ({
    at,
    kind: "crash at write" as const,
    node: (node + index) % validators,
    write: 1 + dice(5),
    isWritten: dice(2) === 0,
    restartsAfterMs: 10 + dice(1000),
  }));
}

function lose({ dice, validators, at, until }: FaultParts): readonly Fault[] {
  const kinds = ["commit", "commit", "commit", "prepare", "proposal", "round-change"] as const;
  return [
    {
      at,
      kind: "lose",
      message: kinds[dice(kinds.length)] ?? "commit",
      belowRound: 1 + dice(2),
      reachesOnly: dice(2 * validators),
    },
    { at: until, kind: "lose nothing" },
  ];
}

/** Commits that reach one node let it decide alone. */
function loseCommits(dice: Dice, validators: number): Fault[] {
  const at = dice(1500);
  const belowRound = 1 + dice(2);
  const loss = { at, kind: "lose", message: "commit", belowRound } as const;
  if (dice(2) === 0) return [{ ...loss, reachesOnly: validators }];
  const isolation = { at, kind: "isolate decider", restarts: dice(2) === 0, forMs: 5000 } as const;
  return [{ ...loss, reachesOnly: dice(validators) }, isolation];
}

function isolateDecider({ dice, at }: FaultParts): readonly Fault[] {
  return [{ at, kind: "isolate decider", restarts: dice(3) > 0, forMs: 2000 + dice(8000) }];
}

function loseDatabase({ at, until, forgetful: node = 0 }: FaultParts): readonly Fault[] {
  return [
    { at, kind: "crash", node, losesHead: false },
    { at: at + 10, kind: "erase", node },
    { at: until, kind: "start", node },
  ];
}

function restoreDatabase({ at, until, forgetful: node = 0 }: FaultParts): readonly Fault[] {
  return [
    { at: Math.floor(at / 2), kind: "copy", node },
    { at, kind: "crash", node, losesHead: false },
    { at: at + 10, kind: "restore", node },
    { at: until, kind: "start", node },
  ];
}

function damageBody({ at, until, forgetful: node = 0 }: FaultParts): readonly Fault[] {
  return [
    { at, kind: "crash", node, losesHead: false },
    { at: at + 10, kind: "damage", node },
    { at: until, kind: "start", node },
  ];
}

/** No set has more faulty members than it tolerates. */
function randomTransitions(
  dice: Dice,
  validators: number,
  faulty: ReadonlySet<number>,
): readonly SimulatedTransition[] {
  const blocks = [2 + dice(2), 4 + dice(3)].slice(0, 1 + dice(2));
  return blocks.map((block) => {
    const all = Array.from({ length: validators }, (_, index) => index);
    const some = all.filter(() => dice(4) > 0);
    const failing = some.filter((index) => faulty.has(index));
    const isSafe = some.length > 0 && failing.length <= maxLiars(some.length);
    return {
      block,
      ...(dice(2) === 0 && { validators: isSafe ? some : all }),
      ...(dice(2) === 0 && { blockPeriodSeconds: 1 + dice(2) }),
      ...(dice(2) === 0 && { isListed: dice(2) === 0 }),
    };
  });
}

function maxLiars(validators: number): number {
  return Math.floor((validators - 1) / 3);
}
