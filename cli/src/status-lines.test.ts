import { describe, expect, it } from "vitest";
import { createStatus } from "./status-lines.js";

const UP = "\u001b[1A";
const ERASE = "\u001b[2K";

/** The content of a terminal after writes: lines, and a cursor at the end of the last one. */
function aTerminal() {
  let lines = [""];
  return {
    columns: 40,
    lines: () => lines,
    write(text: string) {
      for (const char of text.replaceAll(UP, "^").replaceAll(ERASE, "#").replaceAll("\r", "")) {
        if (char === "^") lines = lines.slice(0, -1);
        else if (char === "#") lines[lines.length - 1] = "";
        else if (char === "\n") lines.push("");
        else lines[lines.length - 1] += char;
      }
    },
  };
}

describe("lines at the end of a terminal", () => {
  it("are replaced by the next ones, however many there were", () => {
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
