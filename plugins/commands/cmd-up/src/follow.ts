import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandIo } from "@plinth/core";
import { findNetwork, LOG_FILE } from "@plinth/plugin-cmd-genesis/api";
import { askTroubles, findBlock } from "./ask-node.js";
import { readEndOfLog } from "./end-of-log.js";
import type { NetworkFolder } from "./folder.js";
import { findRunning, isAlive, type ProcessEnd } from "./nodes.js";
import { formatBlock, formatTable, type NodeView } from "./table.js";
import { viewNetwork } from "./view-network.js";

const TICK_MS = 250;
/** Number of ticks between two searches for nodes that others have started. */
const SEARCH_TICKS = 8;
/** Number of periods without a block after which the reason is queried. */
const MANY_PERIODS = 5;

/** The activity of a network: lines for events, and a table of the current state. */
export class NetworkScreen {
  readonly #folder: NetworkFolder;
  readonly #io: CommandIo;
  readonly #ends: ReadonlyMap<string, ProcessEnd | undefined>;
  readonly #program: readonly string[];
  #network: NetworkFolder["network"];
  #pids: ReadonlyMap<string, number>;
  #height: number | undefined;
  #lastBlockAt = Date.now();
  #isExplained = false;
  #ticks = 0;
  /** The text on the terminal. */
  #table = "";

  constructor(
    folder: NetworkFolder,
    io: CommandIo,
    {
      pids,
      ends,
      program,
      height,
    }: {
      readonly pids: ReadonlyMap<string, number>;
      /** The last block that needs no line; by default that of the first response. */
      readonly height: number | undefined;
      /** How the processes started here have ended; `undefined` until that is known. */
      readonly ends: ReadonlyMap<string, ProcessEnd | undefined>;
      /** The command that starts a node. */
      readonly program: readonly string[];
    },
  ) {
    this.#folder = folder;
    this.#network = folder.network;
    this.#io = io;
    this.#pids = pids;
    this.#ends = ends;
    this.#program = program;
    this.#height = height;
  }

  /** The processes of the nodes known to run. */
  get pids(): ReadonlyMap<string, number> {
    return this.#pids;
  }

  /** Shows the network until the signal aborts, a condition holds, or no node runs any more. */
  async follow(
    signal: AbortSignal,
    isEnough: (views: readonly NodeView[]) => boolean = () => false,
  ): Promise<"stopped" | "enough" | "ended"> {
    while (!signal.aborted) {
      await this.#notePids();
      const views = await viewNetwork(this.#network, this.#pids, this.#folder.template);
      await this.#showBlocks(views);
      this.#showTable(formatTable(views, this.#io.hasColors));
      if (isEnough(views)) return this.#end("enough");
      if (this.#pids.size === 0) return this.#end("ended");
      await sleep(TICK_MS, undefined, { signal }).catch(() => {});
    }
    return this.#end("stopped");
  }

  /** Writes a line above the table. */
  async say(line: string): Promise<void> {
    this.#io.status?.clear();
    this.#table = "";
    await this.#io.write(line);
  }

  /** Only if it has changed: terminals flicker. */
  #showTable(table: string): void {
    if (table !== this.#table) this.#io.status?.show(`\n${table}`);
    this.#table = table;
  }

  #end<T>(outcome: T): T {
    this.#io.status?.clear();
    return outcome;
  }

  /** Removes nodes that have ended; adds nodes that others have started. */
  async #notePids(): Promise<void> {
    const gone = [...this.#pids].filter(
      ([name, pid]) => !isAlive(pid) && !this.#isEndPending(name),
    );
    for (const [name] of gone) await this.say(await this.#describeEnd(name));
    this.#pids = new Map([...this.#pids].filter(([name]) => !gone.some(([each]) => each === name)));
    this.#ticks += 1;
    if (this.#ticks % SEARCH_TICKS !== 0) return;
    this.#network = (await findNetwork(this.#folder.path)) ?? this.#network;
    const missing = this.#network.nodes.filter(({ name }) => !this.#pids.has(name));
    if (missing.length === 0) return;
    const found = await findRunning(this.#folder.path, { nodes: missing }, this.#program);
    for (const [name, pid] of found) await this.say(`${name} is running (process ${pid})`);
    this.#pids = new Map([...this.#pids, ...found]);
  }

  /** A process is seen to be gone before its exit code arrives. */
  #isEndPending(name: string): boolean {
    return this.#ends.has(name) && this.#ends.get(name) === undefined;
  }

  async #describeEnd(name: string): Promise<string> {
    const end = this.#ends.get(name);
    const how = end === undefined ? "" : ` (${end})`;
    const log = join(this.#folder.path, name, LOG_FILE);
    const last = await readEndOfLog(log);
    return [`${name} has ended${how}; its log is ${log}`, ...last.map((line) => `  ${line}`)].join(
      "\n",
    );
  }

  async #showBlocks(views: readonly NodeView[]): Promise<void> {
    const best = views.reduce<NodeView | undefined>(
      (found, view) => (heightOf(view) > heightOf(found) ? view : found),
      undefined,
    );
    if (best === undefined) return;
    this.#height ??= heightOf(best);
    while (this.#height < heightOf(best)) {
      const block = await findBlock(best.node, this.#height + 1, this.#folder.template);
      // The node has ended in between: another one is queried soon.
      if (block === undefined) return;
      await this.say(formatBlock(block, this.#network.nodes));
      this.#height += 1;
      this.#lastBlockAt = Date.now();
      this.#isExplained = false;
    }
    await this.#explainSilence(best);
  }

  /** Once for each time that blocks stop. */
  async #explainSilence({ node }: NodeView): Promise<void> {
    const limitMs = Math.max(10_000, MANY_PERIODS * this.#network.periodSeconds * 1000);
    const silentMs = Date.now() - this.#lastBlockAt;
    if (this.#isExplained || silentMs < limitMs) return;
    this.#isExplained = true;
    const seconds = Math.round(silentMs / 1000);
    const reasons = (await askTroubles(node)).join(". ");
    await this.say(`no block for ${seconds} s. ${reasons}`.trimEnd());
  }
}

/** -1 for a node that does not respond. */
function heightOf(view: NodeView | undefined): number {
  return view?.answer?.head.number ?? -1;
}
