import type { View, ViewContext } from "../context.js";
import { type Recorded, type Recording, record } from "../debugger/recording.js";
import { button, fill, h, link, refill } from "../dom.js";
import { count, formatNumber } from "../format.js";
import { load } from "../parts/load.js";
import { attempt, call } from "../rpc.js";
import type { Receipt } from "../types.js";
import { callStack, instructions, memoryPart, stackPart, storagePart } from "./debugger-parts.js";
import { SourcePart } from "./debugger-source.js";
import type { PrivateReceipt } from "./private-transaction.js";

/** A transaction, step by step, forwards and backwards. */
export function debuggerView(context: ViewContext): View {
  return viewOf(context, "debugger", readPublic);
}

/** The same for the private transaction behind a marker. */
export function privateDebuggerView(context: ViewContext): View {
  return viewOf(context, "private-debugger", readPrivate);
}

/** What is stepped through, and where the code of its contracts is read. */
interface Debugged extends Recorded {
  readonly codeOf: (address: string) => Promise<string | undefined>;
}

/** Finds a transaction; `undefined` if it is in no block, or not for this reader. */
type ReadDebugged = (hash: string) => Promise<Debugged | undefined>;

function viewOf(context: ViewContext, view: string, read: ReadDebugged): View {
  const [hash = "", at = "0"] = context.path;
  const start = { view, hash, at: Number(at) };
  return {
    title: "Debugger",
    content: [
      h("p", {}, "Transaction ", link(`tx/${hash}`, hash)),
      load(() => openDebugger(context, read, start), "Executing the transaction again…"),
    ],
  };
}

async function readPublic(hash: string): Promise<Debugged | undefined> {
  const receipt = await call<Receipt | null>("eth_getTransactionReceipt", [hash]);
  if (receipt === null) return undefined;
  const codeOf = (address: string) =>
    attempt<string>("eth_getCode", [address, receipt.blockNumber]);
  return { hash, to: receipt.to ?? receipt.contractAddress ?? "", isPrivate: false, codeOf };
}

/** Private code runs contracts of its group, and public ones. */
async function readPrivate(hash: string): Promise<Debugged | undefined> {
  const receipt = await call<PrivateReceipt | null>("priv_getTransactionReceipt", [hash]);
  if (receipt === null) return undefined;
  const { privacyGroupId, blockNumber, to, contractAddress } = receipt;
  const codeOf = async (address: string) => {
    const own = await attempt<string | null>("priv_getCode", [
      privacyGroupId,
      address,
      blockNumber,
    ]);
    return own ?? attempt<string>("eth_getCode", [address, blockNumber]);
  };
  return { hash, to: to ?? contractAddress ?? "", isPrivate: true, codeOf };
}

async function openDebugger(
  context: ViewContext,
  read: ReadDebugged,
  { view, hash, at: start }: { readonly view: string; readonly hash: string; readonly at: number },
): Promise<HTMLElement> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return h("p", {}, "Open it from the page of a transaction.");
  const debugged = await read(hash);
  if (debugged === undefined) {
    return h("p", {}, "The transaction is in no block, or is a private one of other parties.");
  }
  const recording = await record(debugged);
  if (context.signal.aborted) return h("p", {});
  const { length } = recording.steps;
  if (length === 0) return h("p", {}, "The transaction runs no code.");
  const first = Number.isSafeInteger(start) ? Math.min(Math.max(0, start), length - 1) : 0;
  const place = `${view}/${hash}`;
  return new StepView(context, recording, { place, source: new SourcePart(debugged.codeOf) }).open(
    first,
  );
}

/** What is shown of the present step, and how the reader gets to others. */
class StepView {
  readonly #recording: Recording;
  readonly #source: SourcePart;
  readonly #slider: HTMLInputElement;
  readonly #title = h("p", { class: "step", role: "status" });
  readonly #parts = h("div", { class: "debugger" });
  readonly #context: ViewContext;
  /** The address of the view, without the step. */
  readonly #place: string;
  #at = 0;

  constructor(
    context: ViewContext,
    recording: Recording,
    { place, source }: { readonly place: string; readonly source: SourcePart },
  ) {
    this.#context = context;
    this.#recording = recording;
    this.#place = place;
    this.#source = source;
    this.#slider = h("input", {
      type: "range",
      min: 0,
      max: recording.steps.length - 1,
      "aria-label": "Step",
      class: "slider",
    });
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value)));
  }

  open(at: number): HTMLElement {
    const keys = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches("input, select");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const move = KEYS[event.key];
      if (move === undefined) return;
      event.preventDefault();
      this.#go(this.#target(move));
    };
    document.addEventListener("keydown", keys);
    this.#context.signal.addEventListener("abort", () =>
      document.removeEventListener("keydown", keys),
    );
    const { steps, isCut } = this.#recording;
    this.#go(at);
    return h(
      "div",
      {},
      h(
        "p",
        { class: "dim" },
        `${count(steps.length, "step")}. `,
        isCut && "The transaction has more of them. ",
        "Keys: → and ← step, ↓ and ↑ step over calls, o leaves the call, Home and End.",
      ),
      h(
        "div",
        { class: "controls" },
        ...MOVES.map(([move, label]) => button(label, () => this.#go(this.#target(move)))),
      ),
      this.#slider,
      this.#title,
      this.#source.element,
      this.#parts,
    );
  }

  #target(move: Move): number {
    const { steps } = this.#recording;
    const last = steps.length - 1;
    const depth = steps[this.#at]?.depth ?? 0;
    const search = (by: 1 | -1, isFound: (depth: number) => boolean) => {
      for (let at = this.#at + by; at >= 0 && at <= last; at += by) {
        if (isFound(steps[at]?.depth ?? 0)) return at;
      }
      return by === 1 ? last : 0;
    };
    switch (move) {
      case "first":
        return 0;
      case "last":
        return last;
      case "forward":
        return Math.min(last, this.#at + 1);
      case "back":
        return Math.max(0, this.#at - 1);
      case "over":
        return search(1, (each) => each <= depth);
      case "over back":
        return search(-1, (each) => each <= depth);
      case "out":
        return search(1, (each) => each < depth);
    }
  }

  #go(at: number): void {
    const recording = this.#recording;
    const step = recording.steps[at];
    const frame = recording.frames[at];
    if (step === undefined || frame === undefined) return;
    this.#at = at;
    this.#slider.value = String(at);
    history.replaceState(null, "", `#/${this.#place}/${at}`);
    fill(
      this.#title,
      `Step ${formatNumber(at)}: `,
      h("strong", {}, step.op),
      ` at ${step.pc}, ${gasLeft(step.gas)}costs ${formatNumber(step.gasCost)}`,
      step.error !== undefined && h("span", { class: "error" }, ` ${step.error}`),
    );
    this.#source.show(frame.code, step.pc);
    refill(
      this.#parts,
      instructions(recording, at, (next) => this.#go(next)),
      h(
        "div",
        { class: "panels" },
        stackPart(step),
        h("div", {}, callStack(recording, at), storagePart(recording, at)),
        memoryPart(recording, at),
      ),
    );
  }
}

/** A private transaction may have more gas than this page can count. */
function gasLeft(gas: number): string {
  return Number.isSafeInteger(gas) ? `${formatNumber(gas)} gas left, ` : "";
}

type Move = "first" | "over back" | "back" | "forward" | "over" | "out" | "last";

const MOVES: readonly (readonly [Move, string])[] = [
  ["first", "First"],
  ["over back", "Back over"],
  ["back", "Back"],
  ["forward", "Step"],
  ["over", "Step over"],
  ["out", "Step out"],
  ["last", "Last"],
];

const KEYS: Readonly<Record<string, Move>> = {
  ArrowRight: "forward",
  ArrowLeft: "back",
  ArrowDown: "over",
  ArrowUp: "over back",
  o: "out",
  Home: "first",
  End: "last",
};
