/** Something that goes wrong, or ends going wrong, at a time. */
export type Fault =
  | {
      readonly at: number;
      readonly kind: "crash";
      readonly node: number;
      readonly losesHead: boolean;
    }
  | { readonly at: number; readonly kind: "start"; readonly node: number }
  | { readonly at: number; readonly kind: "partition"; readonly groups: readonly number[] }
  | { readonly at: number; readonly kind: "heal" };

/** How messages travel while faults last. */
export interface Weather {
  readonly delayMs: number;
  readonly jitterMs: number;
  readonly loss: number;
  readonly duplication: number;
}

/** Everything that happens in a run, so that it can be replayed and made smaller. */
export interface Schedule {
  readonly seed: number;
  readonly validators: number;
  /** What some validators do wrong, by their index. */
  readonly byzantine: Readonly<Record<number, string>>;
  readonly weather: Weather;
  readonly faults: readonly Fault[];
  /** When the last fault has ended. */
  readonly endsAt: number;
}

const FAULT_PHASE_MS = 20_000;

/** A schedule at random. */
export function randomSchedule(
  seed: number,
  random: () => number,
  behaviours: readonly string[],
): Schedule {
  const dice = (bound: number) => Math.floor(random() * bound);
  const validators = 4 + dice(4);
  const mayLie = Math.floor((validators - 1) / 3);
  const byzantine: Record<number, string> = {};
  for (let count = dice(mayLie + 1); count > 0; count--) {
    byzantine[dice(validators)] = behaviours[dice(behaviours.length)] ?? "silent";
  }
  const weather = {
    delayMs: 1 + dice(100),
    jitterMs: dice(600),
    loss: dice(3) === 0 ? random() * 0.4 : 0,
    duplication: dice(3) === 0 ? random() * 0.3 : 0,
  };
  const faults: Fault[] = [];
  for (let count = dice(8); count > 0; count--) faults.push(...randomFault(dice, validators));
  faults.sort((a, b) => a.at - b.at);
  return { seed, validators, byzantine, weather, faults, endsAt: FAULT_PHASE_MS };
}

function randomFault(dice: (bound: number) => number, validators: number): readonly Fault[] {
  const at = dice(FAULT_PHASE_MS - 5000);
  const until = Math.min(FAULT_PHASE_MS, at + 200 + dice(10_000));
  const kind = dice(3);
  if (kind === 0) {
    const groups = Array.from({ length: validators }, () => dice(2));
    return [
      { at, kind: "partition", groups },
      { at: until, kind: "heal" },
    ];
  }
  // Of crashes, some take all nodes at once.
  const nodes = kind === 1 ? [dice(validators)] : Array.from({ length: validators }, (_, n) => n);
  return nodes.flatMap((node): readonly Fault[] => [
    { at: at + dice(50), kind: "crash", node, losesHead: dice(2) === 0 },
    { at: until + dice(3000), kind: "start", node },
  ]);
}
