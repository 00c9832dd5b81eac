import { join } from "node:path";
import { check, format, getFileInfo, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { repository } from "./source-tree.js";

const PAGE = join(repository, "docs/page.md");
const TABLE = "| a | b |\n| --- | --- |\n| a longer cell | 1 |\n";

async function settings() {
  const found = await resolveConfig(PAGE);
  return { ...found, filepath: PAGE };
}

describe("the format of Markdown", () => {
  it("leaves tables, line breaks and code as they are written", async () => {
    const text = `# Title\n\nA line that ends early\nand continues.\n\n${TABLE}\n- item\n\n  ${TABLE.trimEnd().replaceAll("\n", "\n  ")}\n\n\`\`\`js\nlet a=1\n\`\`\`\n`;

    expect(await format(text, await settings())).toBe(text);
  });

  it("has one form of emphasis, lists and empty lines", async () => {
    const text = "# Title\n*one*\n\n\n* item\n";

    expect(await check(text, await settings())).toBe(false);
    expect(await format(text, await settings())).toBe("# Title\n\n_one_\n\n- item\n");
  });

  it.each([
    "CHANGELOG.md",
    "create-plugin/template/README.md",
    "docs/reference/methods.md",
    "test/vectors/README.md",
  ])("does not apply to %s, which is generated or recorded", async (path) => {
    const ignorePath = join(repository, ".prettierignore");

    expect(await getFileInfo(join(repository, path), { ignorePath })).toMatchObject({
      ignored: true,
    });
  });
});
