// `npm start -- OPTIONS`, `npm run dev -- OPTIONS`: builds what changed, then runs the program like
// `npx plinth OPTIONS`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const NETWORK_OPTIONS = ["profile", "network", "genesis-file", "config-file"];

const { status } = spawnSync("npm", ["run", "-s", "build"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  stdio: "inherit",
});
// The compiler has reported the error.
if (status !== 0) process.exit(status ?? 1);

const { main } = await import("../cli/dist/main.js");
const words = process.argv.slice(2);
await main(namesNetwork(words) ? words : ["--profile=dev", ...words]);

/** A newcomer who selects no network gets the development chain. */
function namesNetwork(words) {
  const environment = NETWORK_OPTIONS.map((name) => name.replaceAll("-", "_").toUpperCase());
  return (
    words[0] === "dev" ||
    words.some((word) => NETWORK_OPTIONS.includes(/^--([^=]+)/.exec(word)?.[1] ?? "")) ||
    environment.some((name) => `PLINTH_${name}` in process.env || `BESU_${name}` in process.env)
  );
}
