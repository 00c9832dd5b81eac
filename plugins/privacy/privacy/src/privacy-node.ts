import {
  type Address,
  type Hash,
  InvariantError,
  type Logger,
  type RuntimeWith,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";
import { EnclaveClient, toBase64 } from "@plinth/kit-enclave";
import type { FlatTrace } from "@plinth/kit-trace";
import type { dependencies } from "./dependencies.js";
import type { CallOrder, CallResult, callQuery } from "./execution/call-query.js";
import type { executeQuery } from "./execution/execute-query.js";
import { PrivateExecutor } from "./execution/executor.js";
import { findObstacle } from "./execution/rebuild-obstacle.js";
import type { RunItem } from "./execution/run-item.js";
import type { PrivateRules } from "./execution/run-private-transaction.js";
import type { TraceOrder } from "./execution/run-traced.js";
import type { StepsShown } from "./execution/step-recorder.js";
import type { PrivateSteps, stepsQuery } from "./execution/steps-query.js";
import type { traceQuery } from "./execution/trace-query.js";
import { type AskedGroup, FlexibleGroups } from "./flexible/flexible-groups.js";
import { FlexibleSending } from "./flexible/flexible-sending.js";
import { PastTransactions } from "./flexible/past-transactions.js";
import { fetchMarked } from "./markers/fetch-marked.js";
import { LateTransactions } from "./markers/late-transactions.js";
import { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS, PAYLOAD_KEY_BYTES } from "./markers/marker.js";
import { FLEXIBLE, ORDINARY } from "./markers/marker-form.js";
import { UnresolvedMarkers } from "./markers/unresolved-markers.js";
import { EMPTY_STATE_ROOT, PrivateStore, type PrivateTables } from "./store/private-store.js";
import { PrivateRejection } from "./transaction/private-rejection.js";
import { Submission } from "./transaction/submission.js";
import { answerQuestions } from "./verify/answer-questions.js";
import { GroupStates } from "./verify/group-states.js";
import { Verification, type Verified } from "./verify/verification.js";

/** Dependencies and settings of `PrivacyNode`. */
export interface PrivacySettings {
  readonly runtime: RuntimeWith<typeof dependencies>;
  readonly log: Logger;
  readonly tables: PrivateTables;
  readonly queries: {
    readonly execute: ReturnType<typeof executeQuery>;
    readonly call: ReturnType<typeof callQuery>;
    readonly trace: ReturnType<typeof traceQuery>;
    readonly steps: ReturnType<typeof stepsQuery>;
  };
  readonly rules: PrivateRules;
  /** The key of this node at its manager, in base64; `undefined` if callers bring their own. */
  readonly nodeKey: string | undefined;
  readonly markerKey: Uint8Array | undefined;
  /** Interval at which group states are compared with those of other members; 0 disables it. */
  readonly verifyIntervalMs: number;
}

/** The public states before old blocks, which private code reads, have been pruned. */
export class OldStatesMissing extends Error {
  constructor(number: bigint) {
    super(
      `private transactions cannot be re-executed: the public state of block ${number} is not kept`,
    );
    this.name = "OldStatesMissing";
  }
}

/** What is re-executed. */
export interface Rebuild {
  /** Last block of it; `undefined` if there is nothing to re-execute. */
  readonly until: bigint | undefined;
  /** Groups that are skipped, and why. */
  readonly left: readonly { readonly privacyGroupId: string; readonly reason: string }[];
}

/** Position of a marker on the chain. */
export interface MarkerPlace {
  readonly block: SealedBlock;
  readonly index: number;
}

/** Who waits for a trace. */
interface TraceCaller {
  readonly signal: AbortSignal;
  readonly owner: object;
}

/** Time limit for private calls and traces. */
const CALL_MS = 5000;
const TRACE_MS = 60_000;

/** The private transactions of a node: queries and execution. */
export class PrivacyNode {
  readonly store: PrivateStore;
  readonly executor: PrivateExecutor;
  readonly submission: Submission;
  readonly verification: Verification;
  readonly unresolved: UnresolvedMarkers;
  readonly late: LateTransactions;
  /**
   * Groups that manage their members by contract; `undefined` if groups are managed by the
   * managers.
   */
  readonly flexible: FlexibleGroups | undefined;
  /** The past transactions of such groups. */
  readonly past: PastTransactions;
  readonly #settings: PrivacySettings;
  readonly #states: GroupStates;
  #enclave: EnclaveClient | undefined;

  constructor(settings: PrivacySettings) {
    const { runtime, log, tables, queries, rules } = settings;
    const { chain, pool } = runtime;
    const enclave = () => this.enclave;
    this.#settings = settings;
    const { blocks } = chain;
    const { clock } = runtime;
    const groups = new FlexibleGroups({
      call: (message, place, asking) => this.call(message, place, asking),
      has: async ({ group, header, root }, asking) =>
        (root ?? (await this.rootAt(group, header, asking))) !== EMPTY_STATE_ROOT,
    });
    this.store = new PrivateStore(tables, blocks, rules);
    this.unresolved = new UnresolvedMarkers(tables.unresolved, blocks);
    this.executor = new PrivateExecutor({
      runtime,
      log,
      store: this.store,
      enclave,
      query: queries.execute,
      rules,
      membersAt: async (place, asking) => (await groups.findMembers(place, asking)) ?? [],
      nodeKey: settings.nodeKey,
      notesAbsent: () => !rules.isFlexible && this.late.isOffered,
    });
    const { store, executor, unresolved } = this;
    this.late = new LateTransactions({
      unresolved,
      enclave,
      clock,
      log,
      head: () => blocks.head().number,
      runAgain: (order) => executor.runAgain(order),
    });
    this.#states = new GroupStates({ store, executor, blocks });
    this.verification = new Verification({
      enclave,
      store,
      states: this.#states,
      unresolved,
      blocks,
      clock,
      log,
    });
    this.past = new PastTransactions({ store, enclave, blocks });
    const hasTenants = settings.nodeKey === undefined;
    this.flexible = rules.isFlexible ? groups : undefined;
    this.submission = new Submission({
      chainId: chain.chainId,
      pool,
      clock,
      enclave,
      flexible: rules.isFlexible
        ? new FlexibleSending({ groups, past: this.past, blocks, enclave, hasTenants })
        : undefined,
      hasTenants,
      markerKey: settings.markerKey,
      nonceOf: (group, sender, signal) => this.nonceOf(group, sender, { signal, isPatient: true }),
    });
  }

  /** Connects to the manager, and starts executing private transactions. */
  async start(): Promise<void> {
    const { enclave, tessera } = this.#settings.runtime;
    this.#enclave = new EnclaveClient(enclave?.link ?? (await tessera.open()));
    await this.executor.start();
    // Late payloads, and states of other members, concern only groups that managers know.
    if (this.isFlexible) return;
    const { runtime, log, verifyIntervalMs } = this.#settings;
    const { tasks, clock } = runtime;
    const states = this.#states;
    tasks.run("late private transactions", (signal) => this.late.run(signal));
    tasks.run("queries of other members", (signal) =>
      answerQuestions({ enclave: this.enclave, states, clock, log }, signal),
    );
    if (verifyIntervalMs === 0) return;
    tasks.run("comparison of private states", (signal) =>
      this.verification.run(verifyIntervalMs, signal),
    );
  }

  /**
   * Re-executes the private transactions of a group, or of all groups, from their payloads.
   *
   * Groups that would lose executed transactions are skipped unless forced.
   */
  async rebuild(group: Uint8Array | undefined, { force = false } = {}): Promise<Rebuild> {
    if (this.isFlexible) throw new PrivateRejection("flexible groups");
    const { blocks } = this.#settings.runtime.chain;
    const genesis = blocks.findHeader(0n);
    if (genesis === undefined || !blocks.hasState(genesis)) throw new OldStatesMissing(0n);
    const asked = group === undefined ? await this.store.groups() : [group];
    const left = force ? [] : await this.#findObstacles(asked);
    const names = new Set(left.map(({ privacyGroupId }) => privacyGroupId));
    const groups = asked.filter((id) => !names.has(toBase64(id)));
    if (group !== undefined && groups.length === 0) return { until: undefined, left };
    const isOfAll = group === undefined && left.length === 0;
    const until = await this.executor.runAgain({ after: 0n, ...(isOfAll ? {} : { groups }) });
    return { until, left };
  }

  /** Compares the private states of a group, or of all groups, with those of its other members. */
  verify(group: Uint8Array | undefined): Promise<Verified> {
    if (this.isFlexible) throw new PrivateRejection("flexible groups");
    return this.verification.verify(group);
  }

  async #findObstacles(groups: readonly Uint8Array[]): Promise<Rebuild["left"]> {
    const { store, enclave } = this;
    const payloadKeyOf = (marker: Hash) => {
      const place = this.findMarker(marker);
      return place && this.payloadKeyAt(place);
    };
    const found: Rebuild["left"][number][] = [];
    for (const group of groups) {
      const reason = await findObstacle(group, { store, enclave, payloadKeyOf });
      if (reason !== undefined) found.push({ privacyGroupId: toBase64(group), reason });
    }
    return found;
  }

  headMoved(): void {
    this.executor.headMoved();
    this.submission.headMoved();
  }

  get head(): SealedHeader {
    return this.#blocks.head();
  }

  get isRunning(): boolean {
    return this.#enclave !== undefined;
  }

  /** The manager: the embedded one if there is one, otherwise the remote one. */
  get enclave(): EnclaveClient {
    if (this.#enclave !== undefined) return this.#enclave;
    throw new InvariantError(
      "the private transaction manager is not available before the node runs",
    );
  }

  /** The key of this node at its manager; `undefined` if every tenant has its own. */
  get nodeKey(): string | undefined {
    return this.#settings.nodeKey;
  }

  /** The recipient address of markers. */
  get markerAddress(): Address {
    return this.isFlexible ? FLEXIBLE_MARKER_ADDRESS : MARKER_ADDRESS;
  }

  /** Signs markers; `undefined` if each is signed with a new key. */
  get markerKey(): Uint8Array | undefined {
    return this.#settings.markerKey;
  }

  get rules(): PrivateRules {
    return this.#settings.rules;
  }

  get isFlexible(): boolean {
    return this.rules.isFlexible;
  }

  /** State root of a group after a block of the chain. */
  async rootAt(
    group: Uint8Array,
    header: SealedHeader,
    waiting: { readonly signal: AbortSignal; readonly isPatient?: boolean },
  ): Promise<Hash> {
    await this.executor.waitFor(header.number, group, waiting);
    return this.store.rootAt(group, header.number);
  }

  /** The next private nonce of an account. */
  async nonceOf(
    group: Uint8Array,
    address: Address,
    waiting: { readonly signal: AbortSignal; readonly isPatient?: boolean },
  ): Promise<bigint> {
    const state = await this.#openAt(group, this.#blocks.head(), waiting);
    return state.own.findAccount(address)?.nonce ?? 0n;
  }

  /** The code of a private account; `undefined` if the account does not exist. */
  async findCode(
    group: Uint8Array,
    at: { readonly header: SealedHeader; readonly address: Address },
    signal: AbortSignal,
  ): Promise<Uint8Array | undefined> {
    const state = await this.#openAt(group, at.header, { signal });
    return state.own.findAccount(at.address) === undefined
      ? undefined
      : state.own.getCode(at.address);
  }

  /** Executes a private call on the state after a block. */
  async call(
    message: Pick<CallOrder, "from" | "to" | "data" | "gasPrice" | "gas">,
    { group, header, root: known }: AskedGroup,
    caller: { readonly signal: AbortSignal; readonly owner: object },
  ): Promise<CallResult> {
    const { runtime, queries, rules } = this.#settings;
    const root = known ?? (await this.rootAt(group, header, caller));
    const order = { ...message, group, blockHash: header.hash, root, rules, maxMs: CALL_MS };
    const limits = { maxMs: CALL_MS, closed: caller.signal, owner: caller.owner };
    return runtime.query.run(queries.call, order, limits);
  }

  /** Position of a public transaction that may be a marker. */
  findMarker(hash: Hash): MarkerPlace | undefined {
    const place = this.#blocks.findTransaction(hash);
    const block = place && this.#blocks.findBlock(place.blockHash);
    return block && { block, index: place.index };
  }

  /** The key of the payload that a transaction names; `undefined` if it is not a marker. */
  payloadKeyAt({ block, index }: MarkerPlace): Uint8Array | undefined {
    const { to, data } = block.body.transactions[index] ?? {};
    const isMarker = to === MARKER_ADDRESS || to === FLEXIBLE_MARKER_ADDRESS;
    const hasKey = data?.length === PAYLOAD_KEY_BYTES || data?.length === 2 * PAYLOAD_KEY_BYTES;
    return isMarker && hasKey ? data?.slice(0, PAYLOAD_KEY_BYTES) : undefined;
  }

  /** Traces a private transaction of a group; empty if it belongs to another group, or is not for this node. */
  async trace(
    group: Uint8Array,
    place: MarkerPlace,
    caller: TraceCaller,
  ): Promise<readonly FlatTrace[]> {
    const { runtime, queries } = this.#settings;
    const order = await this.#traceOrder(group, place, caller);
    return order === undefined ? [] : runtime.query.run(queries.trace, order, limitsOf(caller));
  }

  /** Records the steps of a private transaction of a group; `undefined` if it cannot be re-executed. */
  async traceSteps(
    group: Uint8Array,
    { shown, ...place }: MarkerPlace & { readonly shown: StepsShown },
    caller: TraceCaller,
  ): Promise<PrivateSteps | undefined> {
    const { runtime, queries } = this.#settings;
    const order = await this.#traceOrder(group, place, caller);
    return order && runtime.query.run(queries.steps, { ...order, shown }, limitsOf(caller));
  }

  async #traceOrder(
    group: Uint8Array,
    { block, index }: MarkerPlace,
    caller: TraceCaller,
  ): Promise<TraceOrder | undefined> {
    const { header } = block;
    await this.executor.waitFor(header.number, group, caller);
    const items = await this.#itemsOf(group, { block, index });
    const marker = items.find((item) => item.index === index)?.marker;
    if (marker === undefined) return undefined;
    const root = await this.store.rootAt(group, header.number - 1n);
    const { rules } = this.#settings;
    return { blockHash: header.hash, group, root, items, marker, rules, maxMs: TRACE_MS };
  }

  /** The private transactions of a group in a block, up to a position. */
  async #itemsOf(group: Uint8Array, { block, index }: MarkerPlace) {
    const form = this.isFlexible ? FLEXIBLE : ORDINARY;
    const markers = form.markersOf(block).filter((marker) => marker.index <= index);
    const payloads = new Map<number, Uint8Array>();
    const items: (RunItem & { readonly marker: Hash })[] = [];
    for await (const { found } of fetchMarked(this.enclave, markers, form)) {
      for (const { marker, index, group: other, payload: kept } of found) {
        if (toBase64(other) !== toBase64(group)) continue;
        const payload = kept instanceof Uint8Array ? kept : payloads.get(kept);
        if (payload === undefined) throw new Error(`the payload of ${marker} is missing`);
        payloads.set(index, payload);
        items.push({ marker, index, payload, isPast: false });
      }
    }
    if (!this.isFlexible || this.store.findHistoryKey(group) === undefined) return items;
    const { number, hash: blockHash } = block.header;
    const { markers: ran = [] } = this.store.findGroupBlock({ group, number, blockHash }) ?? {};
    const history = await this.past.ofHistory(group, undefined);
    const past = markers.flatMap(({ hash: marker, index }) => {
      const { encoded: payload } = history.get(marker) ?? {};
      const isFound = items.some((item) => item.marker === marker);
      if (payload === undefined || isFound || !ran.includes(marker)) return [];
      return [{ marker, index, payload, isPast: true }];
    });
    return [...items, ...past].sort((a, b) => a.index - b.index);
  }

  get #blocks() {
    return this.#settings.runtime.chain.blocks;
  }

  async #openAt(
    group: Uint8Array,
    header: SealedHeader,
    waiting: { readonly signal: AbortSignal; readonly isPatient?: boolean },
  ) {
    const { runtime, tables } = this.#settings;
    const root = await this.rootAt(group, header, waiting);
    return runtime.state.open({ table: tables.state, root });
  }
}

function limitsOf({ signal, owner }: TraceCaller) {
  return { maxMs: TRACE_MS, closed: signal, owner };
}
