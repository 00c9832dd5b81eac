import { describe, expect, it } from "vitest";
import { createStatus } from "./status-lines.js";

const CONTROL = new RegExp("(\u001b\\[1A|\u001b\\[2K|\r|\n)");

/** What a terminal shows after it was written to: lines, and a cursor at the end of the last one. */
function aTerminal() {
  let lines = [""];
  return {
    columns: 40,
    lines: () => lines,
    write(text: string) {
      for (const part of text.split(CONTROL)) {
        if (part === "\u001b[1A") lines = lines.slice(0, -1);
        else if (part === "\u001b[2K") lines[lines.length - 1] = "";
        else if (part === "\n") lines.push("");
        else if (part !== "\r") lines[lines.length - 1] += part;
      }
    },
  };
}

describe("lines at the end of a terminal", () => {
  it("give way to the next ones, however many there were", () => {
    const terminal = aTerminal();
    const status = createStatus(terminal);
    terminal.write("kept\n");

    status.show("one\ntwo\nthree");
    status.show("four\nfive");

    expect(terminal.lines()).toEqual(["kept", "four", "five"]);
    expect(status.columns).toBe(40);
  });

  it("leave nothing behind", () => {
    const terminal = aTerminal();
    const status = createStatus(terminal);
    terminal.write("kept\n");

    status.show("one\ntwo");
    status.clear();
    terminal.write("after");

    expect(terminal.lines()).toEqual(["kept", "after"]);
  });
});
