import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/program.js";

const FOLDER = join(ROOT, "docs/adr");
const index = readFileSync(join(FOLDER, "README.md"), "utf8");
const pages = readdirSync(FOLDER).filter((name) => /^\d{4}-/.test(name));

describe("a decision", () => {
  it.each(pages)("%s has its number, a status, and a row in the index", (name) => {
    const text = readFileSync(join(FOLDER, name), "utf8");
    const number = name.slice(0, 4);
    const [, title = ""] =
      new RegExp(`^# ${number}: (.+)\\n\\nStatus: (accepted|superseded)`).exec(text) ?? [];

    expect(title).not.toBe("");
    expect(index).toContain(`| [${number}](${name}) | ${title} | `);
  });
});
