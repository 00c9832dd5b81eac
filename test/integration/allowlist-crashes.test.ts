import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "@plinth/testing";
import { expect, it } from "vitest";
import { ROOT } from "../support/program.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** `npm run long -- crashes` kills it 200 times. */
const KILLS = Number(process.env.PLINTH_ALLOWLIST_CRASHES ?? 4);
const CHANGES = 2000;
const WRITER = join(ROOT, "test/support/allowlist-writer.mjs");

it(
  `a file of lists is intact after each of ${KILLS} kills, with every acknowledged change`,
  async () => {
    const random = createRandom(7);
    for (let kill = 0; kill < KILLS; kill++) {
      using folder = temporaryFolder();
      const path = folder.file("permissions.toml");
      writeFileSync(path, '# kept\naccounts-allowlist=[]\nother="kept"\n');
      const child = spawn(process.execPath, [WRITER, path, String(CHANGES)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let answered = 0;
      child.stdout.on("data", (text: Buffer) => {
        answered += text.toString().split("\n").length - 1;
      });
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, random() * 300));
      child.kill("SIGKILL");
      await once(child, "close");

      const toml = readFileSync(path, "utf8");
      const [, list] = /^# kept\naccounts-allowlist=(\[.*\])\nother="kept"\n$/.exec(toml) ?? [];
      const { length } = JSON.parse(list ?? "null");
      // One change may have been written and not acknowledged.
      expect([answered, answered + 1]).toContain(length);
    }
  },
  60_000 + KILLS * 5000,
);
