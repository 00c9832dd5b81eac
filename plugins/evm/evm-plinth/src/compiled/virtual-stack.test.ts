import { describe, expect, it } from "vitest";
import { type Item, VirtualStack } from "./virtual-stack.js";

const ONE: Item = { text: "1", kind: "number", value: 1 };

/** A stack whose items of earlier blocks are called by their positions. */
const aStack = () => new VirtualStack((position) => `item${position}`);
const texts = (stack: VirtualStack) => stack.unwritten.map(([at, { text }]) => `${at}: ${text}`);

describe("a virtual stack", () => {
  it("takes items of earlier blocks once, when they are used", () => {
    const stack = aStack();

    expect([stack.peek(2).text, stack.pop().text, stack.pop().text]).toEqual([
      "item-2",
      "item-1",
      "item-2",
    ]);
    expect(stack.height).toBe(-2);
  });

  it("writes only what the array lacks", () => {
    const stack = aStack();
    stack.peek(2);
    stack.push(ONE);

    expect(texts(stack)).toEqual(["0: 1"]);
    stack.written();
    expect(texts(stack)).toEqual([]);
  });

  it("writes items that were swapped, and not those that were swapped back", () => {
    const stack = aStack();
    stack.swap(1);
    expect(texts(stack)).toEqual(["-2: item-1", "-1: item-2"]);

    stack.swap(1);

    expect(texts(stack)).toEqual([]);
  });

  it("writes all that was moved if a branch may have written it", () => {
    const stack = aStack();
    stack.swap(1);
    stack.perhapsWritten();
    stack.swap(1);

    // The array has both orders, depending on the branch.
    expect(texts(stack)).toEqual(["-2: item-2", "-1: item-1"]);
  });

  it("has an item that an instruction has stored", () => {
    const stack = aStack();
    stack.pop();
    stack.pushStored(ONE);

    expect(texts(stack)).toEqual([]);
  });
});
