import type { View, ViewContext } from "../context.js";
import { MAX_STEPS, type Recording, record } from "../debugger/recording.js";
import { button, fill, h, link, refill } from "../dom.js";
import { count, formatNumber } from "../format.js";
import { load } from "../parts/load.js";
import { call } from "../rpc.js";
import type { Receipt } from "../types.js";
import { callStack, instructions, memoryPart, stackPart, storagePart } from "./debugger-parts.js";
import { SourcePart } from "./debugger-source.js";

/** A transaction, step by step, forwards and backwards. */
export function debuggerView(context: ViewContext): View {
  const [hash = "", at = "0"] = context.path;
  return {
    title: "Debugger",
    content: [
      h("p", {}, "Transaction ", link(`tx/${hash}`, hash)),
      load(() => openDebugger(context, hash, Number(at)), "Executing the transaction again…"),
    ],
  };
}

async function openDebugger(
  context: ViewContext,
  hash: string,
  start: number,
): Promise<HTMLElement> {
  if (!/^0x[0-9a-f]{64}$/i.test(hash)) return h("p", {}, "Open it from the page of a transaction.");
  const receipt = await call<Receipt | null>("eth_getTransactionReceipt", [hash]);
  if (receipt === null) return h("p", {}, "The transaction is in no block.");
  const recording = await record(hash, receipt.to ?? receipt.contractAddress ?? "");
  if (context.signal.aborted) return h("p", {});
  const { length } = recording.steps;
  if (length === 0) return h("p", {}, "The transaction runs no code.");
  const first = Number.isSafeInteger(start) ? Math.min(Math.max(0, start), length - 1) : 0;
  return new StepView(context, recording, receipt.blockNumber).open(first, hash);
}

/** What is shown of the present step, and how the reader gets to others. */
class StepView {
  readonly #recording: Recording;
  readonly #source: SourcePart;
  readonly #slider: HTMLInputElement;
  readonly #title = h("p", { class: "step", role: "status" });
  readonly #parts = h("div", { class: "debugger" });
  readonly #context: ViewContext;
  #at = 0;
  #hash = "";

  constructor(context: ViewContext, recording: Recording, block: string) {
    this.#context = context;
    this.#recording = recording;
    this.#source = new SourcePart(block);
    this.#slider = h("input", {
      type: "range",
      min: 0,
      max: recording.steps.length - 1,
      "aria-label": "Step",
      class: "slider",
    });
    this.#slider.addEventListener("input", () => this.#go(Number(this.#slider.value)));
  }

  open(at: number, hash: string): HTMLElement {
    this.#hash = hash;
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
        isCut && `These are the first ${formatNumber(MAX_STEPS)}. `,
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
    history.replaceState(null, "", `#/debugger/${this.#hash}/${at}`);
    fill(
      this.#title,
      `Step ${formatNumber(at)}: `,
      h("strong", {}, step.op),
      ` at ${step.pc}, ${formatNumber(step.gas)} gas left, costs ${formatNumber(step.gasCost)}`,
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
