import { spawn } from "node:child_process";
import { PlinthError } from "@plinth/core";

/**
 * Runs npm in a folder and throws its own explanation when it fails.
 *
 * Scripts of packages never run. Peer dependencies are not installed, because the core and the kits
 * are those of the running program. Folders are copied, so that the plugin does not change under a
 * running node.
 */
export async function runNpm(folder: string, words: readonly string[]): Promise<void> {
  const settings = [
    "--ignore-scripts",
    "--legacy-peer-deps",
    "--install-links",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  const child = spawn("npm", [...words, ...settings], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    shell: process.platform === "win32",
  });
  let problems = "";
  child.stderr.on("data", (chunk) => {
    problems += chunk;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === 0) return;
  const lines = problems.split("\n").filter((line) => /^npm (error|ERR!)/.test(line));
  const detail = lines
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, "").trim())
    .filter((line) => line !== "" && !/^(code|\d{3}$|A complete log)/.test(line))
    .slice(0, 2);
  throw new PlinthError("NPM_FAILED", {
    message: `npm ${words.join(" ")} failed: ${detail.join("; ")}`,
  });
}
