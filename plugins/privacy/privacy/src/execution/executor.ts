import {
  type Hash,
  InvariantError,
  type Logger,
  type Runtime,
  type SealedHeader,
} from "@plinth/core";
import { Semaphore, Signal } from "@plinth/core/async";
import { type EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import type { RanTransaction } from "../flexible/run-with-history.js";
import { Delivery, type RerunOrder, type WaitingForManager } from "../markers/delivery.js";
import { FLEXIBLE, ORDINARY } from "../markers/marker-form.js";
import { PART_BYTES } from "../markers/part-bytes.js";
import { EMPTY_STATE_ROOT, type PendingEntry, type PrivateStore } from "../store/private-store.js";
import type { executeQuery } from "./execute-query.js";
import { GroupLane, type HeldGroup, type LaneSettings } from "./group-lane.js";
import { PrivateStateBehind } from "./private-state-behind.js";
import type { PrivateRules } from "./run-private-transaction.js";

/** How long a read waits for the private results of its block. */
const MAX_WAIT_MS = 5000;
/** How long a send waits while older blocks execute: less than client timeouts. */
const MAX_PATIENT_WAIT_MS = 60_000;

/**
 * Maximum number of concurrent orders; orders that timed out before run one at a time in an
 * additional slot.
 */
const QUICK_SLOTS = 2;
const SLOW_SLOTS = 1;
/** An idle thread exits after a minute. */
const READY_MS = 30_000;

/** The effect of a block on a group. */
export interface GroupExecuted {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  readonly transactions: readonly RanTransaction[];
}

/** Progress of private execution. */
export interface ExecutorStatus {
  readonly head: bigint;
  /** Last block whose private transactions were fetched. */
  readonly delivered: bigint;
  readonly manager: string;
  readonly waiting: WaitingForManager | undefined;
  /** Last block of the range that is searched again. */
  readonly runsAgainUntil: bigint | undefined;
  readonly groups: readonly {
    readonly privacyGroupId: string;
    /** Number of private transactions that were fetched and not yet executed. */
    readonly pending: number;
    readonly held: HeldGroup | undefined;
  }[];
}

/** Dependencies of private execution. */
export interface ExecutorSettings {
  readonly runtime: Pick<Runtime, "chain" | "clock" | "query" | "signal" | "tasks">;
  readonly log: Logger;
  readonly store: PrivateStore;
  readonly enclave: () => EnclaveClient;
  readonly query: ReturnType<typeof executeQuery>;
  readonly rules: PrivateRules;
  readonly membersAt: LaneSettings["membersAt"];
  readonly nodeKey: LaneSettings["nodeKey"];
  /** Maximum bytes of payloads held in memory. */
  readonly partBytes?: number;
  /** Whether to record markers without a local payload. */
  readonly notesAbsent: () => boolean;
}

/**
 * Executes private transactions after their blocks are on the chain: fetched in chain order,
 * executed per group.
 */
export class PrivateExecutor {
  readonly #settings: ExecutorSettings;
  readonly #delivery: Delivery;
  readonly #lanes = new Map<string, GroupLane>();
  readonly #listeners = new Set<(event: GroupExecuted) => void>();
  readonly #progress: Signal;
  readonly #quick = new Semaphore(QUICK_SLOTS);
  readonly #slow = new Semaphore(SLOW_SLOTS);
  #isStarted = false;

  constructor(settings: ExecutorSettings) {
    const { runtime, store, enclave, log } = settings;
    this.#settings = settings;
    this.#progress = new Signal(runtime.clock);
    this.#delivery = new Delivery({
      blocks: runtime.chain.blocks,
      store,
      enclave,
      form: settings.rules.isFlexible ? FLEXIBLE : ORDINARY,
      partBytes: settings.partBytes ?? PART_BYTES,
      clock: runtime.clock,
      log,
      delivered: (entries) => this.#take(entries),
      moved: () => this.#progress.notify(),
      forget: async (from) => {
        const isConcerned = ({ lastNumber }: GroupLane) => (lastNumber ?? -1n) >= from;
        const lanes = [...this.#lanes.values()].filter(isConcerned);
        await Promise.all(lanes.map((lane) => lane.forget(from)));
      },
      notesAbsent: settings.notesAbsent,
    });
  }

  /** Resumes pending work, then follows the chain. */
  async start(): Promise<void> {
    const { store, runtime } = this.#settings;
    this.#isStarted = true;
    const left: PendingEntry[] = [];
    const { passed } = this.#delivery;
    for await (const entry of store.pending()) {
      // Later blocks are searched again.
      if (entry.number <= passed) left.push(entry);
      else this.#delivery.dropped([entry]);
    }
    this.#take(left);
    runtime.tasks.run("private transaction thread", (signal) => this.#keepReady(signal));
    runtime.tasks.run("private transactions", async (signal) => {
      await this.#delivery.run(signal);
      await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    });
  }

  headMoved(): void {
    this.#delivery.headMoved();
    this.#progress.notify();
  }

  /** Registers a callback for every block that changed a group or tried to. */
  onExecuted(listener: (event: GroupExecuted) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Whether all private transactions up to a block have run, of one group or of all. Always true if
   * private execution is off.
   */
  hasPassed(number: bigint, group?: Uint8Array): boolean {
    if (!this.#isStarted) return true;
    if (group !== undefined) {
      if (this.#delivery.passedFor(group) < number) return false;
      return this.#laneOf(group)?.hasPassed(number) ?? true;
    }
    if (this.#delivery.passed < number) return false;
    return [...this.#lanes.values()].every((lane) => lane.hasPassed(number));
  }

  /**
   * Waits until all private transactions of a group up to a block have run; after a few seconds, throws with the reason for the delay.
   *
   * Patient callers wait longer while older blocks execute, but not for an unreachable manager.
   */
  async waitFor(
    number: bigint,
    group: Uint8Array | undefined,
    { signal, isPatient = false }: { readonly signal: AbortSignal; readonly isPatient?: boolean },
  ): Promise<void> {
    await this.#waitUntil(() => this.hasPassed(number, group), number, {
      group,
      signal,
      isPatient,
    });
  }

  /**
   * The groups with pending work, once the markers of all blocks up to a number have been resolved.
   */
  async groupsToRun(
    number: bigint,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<readonly Uint8Array[]> {
    const isDelivered = () => !this.#isStarted || this.#delivery.passed >= number;
    await this.#waitUntil(isDelivered, number, { group: undefined, signal, isPatient: false });
    return [...this.#lanes.values()].filter((lane) => !lane.isIdle).map((lane) => lane.group);
  }

  async #waitUntil(
    isDone: () => boolean,
    number: bigint,
    asked: {
      readonly group: Uint8Array | undefined;
      readonly signal: AbortSignal;
      readonly isPatient: boolean;
    },
  ): Promise<void> {
    const { group, signal, isPatient } = asked;
    const { clock } = this.#settings.runtime;
    const began = clock.now();
    while (!isDone()) {
      signal.throwIfAborted();
      const isRunning = isPatient && this.#delivery.waiting === undefined;
      const leftMs = began + (isRunning ? MAX_PATIENT_WAIT_MS : MAX_WAIT_MS) - clock.now();
      if (leftMs <= 0) throw this.#behind(number, group);
      await this.#progress.nextWithin({ timeoutMs: leftMs });
    }
  }

  /** Whether a group is stuck, for example because one of its transactions does not terminate. */
  isHeld(group: Uint8Array): boolean {
    return this.#laneOf(group)?.held !== undefined;
  }

  /**
   * Re-executes private transactions from their payloads; returns the last block that had been
   * searched before.
   */
  async runAgain(order: RerunOrder): Promise<bigint> {
    if (!this.#isStarted) throw new InvariantError("private transactions do not run at this node");
    await this.#delivery.runAgain(order);
    return this.#delivery.rerun?.until.number ?? this.#delivery.passed;
  }

  /** Last block whose private transactions of a group have run. */
  executedTo(group: Uint8Array): bigint {
    const passed = this.#delivery.passedFor(group);
    const next = this.#laneOf(group)?.nextNumber;
    return next !== undefined && next <= passed ? next - 1n : passed;
  }

  /** Status of the private transaction behind a marker that has no receipt yet. */
  stageOf(
    number: bigint,
    place: { readonly blockHash: Hash; readonly index: number },
  ): "mined" | "delivered" | "passed" {
    if (this.#delivery.passed < number) return "mined";
    for (const lane of this.#lanes.values()) if (lane.includes(place)) return "delivered";
    return "passed";
  }

  status(): ExecutorStatus {
    const { runtime, enclave } = this.#settings;
    return {
      head: runtime.chain.blocks.head().number,
      delivered: this.#delivery.passed,
      manager: enclave().name,
      waiting: this.#delivery.waiting,
      runsAgainUntil: this.#delivery.rerun?.until.number,
      groups: [...this.#lanes.values()]
        .filter((lane) => !lane.isIdle)
        .map((lane) => ({
          privacyGroupId: toBase64(lane.group),
          pending: lane.length,
          held: lane.held,
        })),
    };
  }

  /** Idle threads exit, and starting one takes long: a no-op order keeps one alive. */
  async #keepReady(signal: AbortSignal): Promise<void> {
    const { runtime, query, rules, log } = this.#settings;
    const { hash } = runtime.chain.blocks.head();
    const place = { blockHash: hash, group: new Uint8Array(), root: EMPTY_STATE_ROOT };
    const order = { ...place, items: [], rules, maxMs: READY_MS };
    const limits = { maxMs: READY_MS, closed: signal, owner: this };
    while (!signal.aborted) {
      try {
        await runtime.query.run(query, order, limits);
      } catch (error) {
        // The next order may find an idle thread.
        if (!signal.aborted) log.debug("no thread is ready for private transactions", { error });
      }
      await runtime.clock.sleep(READY_MS, signal);
    }
  }

  #behind(number: bigint, group: Uint8Array | undefined): PrivateStateBehind {
    const { waiting, manager, delivered, runsAgainUntil } = this.status();
    const held = group === undefined ? undefined : this.#laneOf(group)?.held;
    if (waiting !== undefined) {
      return new PrivateStateBehind(
        `private transactions up to block ${number} have not run: waiting for the private transaction manager ${manager} (${waiting.reason})`,
      );
    }
    const running =
      runsAgainUntil === undefined
        ? "execution is in progress"
        : `re-execution is in progress, ${delivered} of ${runsAgainUntil} blocks are done`;
    const reason = held === undefined ? running : `${held.marker} ${held.reason}`;
    return new PrivateStateBehind(
      `private transactions up to block ${number} have not run: ${reason}`,
    );
  }

  #take(entries: readonly PendingEntry[]): void {
    const byGroup = new Map<GroupLane, PendingEntry[]>();
    for (const entry of entries) {
      const lane = this.#laneFor(entry.group);
      const items = byGroup.get(lane);
      if (items === undefined) byGroup.set(lane, [entry]);
      else items.push(entry);
    }
    for (const [lane, items] of byGroup) lane.add(items);
  }

  #laneOf(group: Uint8Array): GroupLane | undefined {
    return this.#lanes.get(toBase64(group));
  }

  #laneFor(group: Uint8Array): GroupLane {
    const known = this.#laneOf(group);
    if (known !== undefined) return known;
    const { runtime, store, rules, log, query, membersAt, nodeKey } = this.#settings;
    const { partBytes = PART_BYTES } = this.#settings;
    const { clock, chain } = runtime;
    const lane = new GroupLane(group, {
      store,
      rules,
      partBytes,
      clock,
      log,
      execute: (order, { owner, isSlow, signal: closed }) =>
        (isSlow ? this.#slow : this.#quick).run(() =>
          runtime.query.run(query, order, { maxMs: order.maxMs, closed, owner }),
        ),
      blocks: chain.blocks,
      membersAt,
      nodeKey,
      executed: (group, header, transactions) => {
        for (const listener of this.#listeners) listener({ group, header, transactions });
      },
      dropped: (entries) => this.#delivery.dropped(entries),
      moved: () => this.#progress.notify(),
    });
    this.#lanes.set(toBase64(group), lane);
    return lane;
  }
}
