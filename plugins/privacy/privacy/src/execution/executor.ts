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

/** How long reads wait for the private results of their block. */
const MAX_WAIT_MS = 5000;
/** How long sends wait while older blocks run: shorter than clients do. */
const MAX_PATIENT_WAIT_MS = 60_000;

/** Orders that are run at a time, and beside them those that took too long before: they have one turn after the other. */
const QUICK_SLOTS = 2;
const SLOW_SLOTS = 1;
/** A thread without work ends after a minute. */
const READY_MS = 30_000;

/** What a block of the chain did to a group. */
export interface GroupExecuted {
  readonly group: Uint8Array;
  readonly header: SealedHeader;
  readonly transactions: readonly RanTransaction[];
}

/** How far private execution is. */
export interface ExecutorStatus {
  readonly head: bigint;
  /** The last block whose private transactions were fetched. */
  readonly delivered: bigint;
  readonly manager: string;
  readonly waiting: WaitingForManager | undefined;
  /** The last block of those that are searched again. */
  readonly runsAgainUntil: bigint | undefined;
  readonly groups: readonly {
    readonly privacyGroupId: string;
    /** Private transactions that were fetched and have not run. */
    readonly pending: number;
    readonly held: HeldGroup | undefined;
  }[];
}

/** What private execution works with. */
export interface ExecutorSettings {
  readonly runtime: Pick<Runtime, "chain" | "clock" | "query" | "signal" | "tasks">;
  readonly log: Logger;
  readonly store: PrivateStore;
  readonly enclave: () => EnclaveClient;
  readonly query: ReturnType<typeof executeQuery>;
  readonly rules: PrivateRules;
  readonly membersAt: LaneSettings["membersAt"];
  readonly nodeKey: LaneSettings["nodeKey"];
  /** How many bytes of payloads are held at a time. */
  readonly partBytes?: number;
  /** Whether markers without a payload here are noted. */
  readonly notesAbsent: () => boolean;
}

/** Runs private transactions after their blocks are on the chain: fetched in order, run group by group. */
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

  /** Takes up what was left, and follows the chain from there. */
  async start(): Promise<void> {
    const { store, runtime } = this.#settings;
    this.#isStarted = true;
    const left: PendingEntry[] = [];
    const { passed } = this.#delivery;
    for await (const entry of store.pending()) {
      // Blocks after that are searched again.
      if (entry.number <= passed) left.push(entry);
      else this.#delivery.dropped([entry]);
    }
    this.#take(left);
    runtime.tasks.run("thread for private transactions", (signal) => this.#keepReady(signal));
    runtime.tasks.run("private transactions", async (signal) => {
      await this.#delivery.run(signal);
      await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    });
  }

  headMoved(): void {
    this.#delivery.headMoved();
    this.#progress.notify();
  }

  /** Calls back for every block that changed a group or tried to. */
  onExecuted(listener: (event: GroupExecuted) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether everything private up to a block has run; of one group, or of all. Where nothing runs, nothing is waited for. */
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
   * Waits until everything private of a group up to a block has run; throws what it waits for after some seconds.
   *
   * Those who are patient wait longer while older blocks run, but not longer for a manager that is away.
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

  /** The groups that have something left to run, once it is known what blocks up to a number have for this node. */
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

  /** Whether a group does not go on, for example since a transaction of it does not end. */
  isHeld(group: Uint8Array): boolean {
    return this.#laneOf(group)?.held !== undefined;
  }

  /** Runs private transactions again from their payloads; returns the last block that was searched before. */
  async runAgain(order: RerunOrder): Promise<bigint> {
    if (!this.#isStarted) throw new InvariantError("private transactions do not run at this node");
    await this.#delivery.runAgain(order);
    return this.#delivery.rerun?.until.number ?? this.#delivery.passed;
  }

  /** The last block whose private transactions of a group have run. */
  executedTo(group: Uint8Array): bigint {
    const passed = this.#delivery.passedFor(group);
    const next = this.#laneOf(group)?.nextNumber;
    return next !== undefined && next <= passed ? next - 1n : passed;
  }

  /** Where the private transaction behind a marker stands, while it has no receipt. */
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

  /** Threads end when they have nothing to do, and take long to start: an order of nothing keeps one. */
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
        // The next one may find a thread that is free.
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
        ? "they are running"
        : `they are run again, ${delivered} of ${runsAgainUntil} blocks are done`;
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
