import type { Frame } from "../debugger/frames.js";
import { MAX_STEPS_WITH_MEMORY, type Recording } from "../debugger/recording.js";
import type { Step } from "../debugger/step.js";
import { type Child, h } from "../dom.js";
import { formatNumber } from "../format.js";
import { addressLink, badge } from "../parts/links.js";
import { section } from "../parts/table.js";

/** Instructions that are shown before and after the present one. */
const AROUND = 12;
const MAX_WORDS = 200;

/** The instructions around the present one. */
export function instructions(
  { steps }: Recording,
  at: number,
  go: (step: number) => void,
): HTMLElement {
  const from = Math.max(0, at - AROUND);
  const shown = steps.slice(from, at + AROUND + 1);
  return part(
    "Instructions",
    h(
      "ol",
      { class: "instructions plain" },
      ...shown.map((step, index) => {
        const number = from + index;
        const line = h(
          "button",
          { type: "button", "aria-current": number === at ? "step" : undefined, tabindex: -1 },
          h("span", { class: "dim" }, String(number)),
          h("span", { class: "op" }, `${"· ".repeat(Math.min(step.depth - 1, 8))}${step.op}`),
          h("span", { class: "dim" }, `pc ${step.pc}`),
          h("span", { class: "dim number" }, formatNumber(step.gasCost)),
        );
        line.addEventListener("click", () => go(number));
        return h("li", {}, line);
      }),
    ),
  );
}

/** The calls that lead to the present step, the innermost first. */
export function callStack({ frames }: Recording, at: number): HTMLElement {
  const items: HTMLElement[] = [];
  for (let frame: Frame | undefined = frames[at]; frame !== undefined; frame = frame.parent) {
    items.push(
      h(
        "li",
        {},
        badge(frame.kind.toLowerCase()),
        " ",
        frame.code === undefined ? "a new contract" : addressLink(frame.code),
        frame.storage !== frame.code &&
          frame.storage !== undefined && [" on the storage of ", addressLink(frame.storage)],
      ),
    );
  }
  return part("Call stack", h("ol", { class: "plain" }, ...items));
}

/** The stack, its top first. */
export function stackPart({ stack }: Step): HTMLElement {
  return part(
    `Stack (${stack.length})`,
    wordList(stack.toReversed().map((word, index) => [String(index), trim(word)])),
  );
}

/** The memory before the step. */
export function memoryPart(recording: Recording, at: number): HTMLElement {
  const memory = recording.memoryAt(at);
  if (memory === undefined) {
    return part(
      "Memory",
      h(
        "p",
        { class: "dim" },
        `Not loaded: the transaction has more than ${formatNumber(MAX_STEPS_WITH_MEMORY)} steps.`,
      ),
    );
  }
  return part(
    `Memory (${formatNumber(memory.length * 32)} bytes)`,
    wordList(
      memory.map((word, index) => [`0x${(index * 32).toString(16).padStart(4, "0")}`, word]),
    ),
  );
}

/** What has been written to storage up to the step. */
export function storagePart({ writes }: Recording, at: number): HTMLElement {
  const done = writes.filter(({ step }) => step < at);
  const last = new Map(done.map((write) => [`${write.frame.storage} ${write.slot}`, write]));
  if (last.size === 0) return part("Storage changes", h("p", { class: "dim" }, "None so far."));
  return part(
    "Storage changes",
    h(
      "ul",
      { class: "plain words" },
      ...[...last.values()]
        .slice(-MAX_WORDS)
        .map(({ frame, slot, value, step }) =>
          h(
            "li",
            {},
            h("p", { class: "dim" }, addressLink(frame.storage), ` at step ${formatNumber(step)}`),
            h("code", {}, trim(slot)),
            " = ",
            h("code", {}, trim(value)),
          ),
        ),
    ),
  );
}

function wordList(words: readonly (readonly [string, string])[]): Child {
  if (words.length === 0) return h("p", { class: "dim" }, "Empty.");
  const rest = words.length - MAX_WORDS;
  return [
    h(
      "ol",
      { class: "plain words" },
      ...words
        .slice(0, MAX_WORDS)
        .map(([label, word]) =>
          h("li", {}, h("span", { class: "dim" }, label), " ", h("code", {}, word)),
        ),
    ),
    rest > 0 && h("p", { class: "dim" }, `… ${formatNumber(rest)} more`),
  ];
}

/** A word without its leading zeros. */
function trim(word: string): string {
  return `0x${word.replace(/^0+(?=.)/, "")}`;
}

function part(title: string, ...children: readonly Child[]): HTMLElement {
  const created = section(title, ...children);
  created.className = "panel";
  return created;
}
