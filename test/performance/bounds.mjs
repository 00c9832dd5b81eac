// Bounds that follow the machine: it may be four times slower from one hour to the next.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { calibrateElapsed, residentMib } from "./measured.mjs";

/** A pass of the calibration, and Node.js alone, where the bounds were chosen. */
const REFERENCE = { passUs: 45, nodeMib: 42 };
/** Figures that depend on the speed of the machine, or on its memory; all others are ratios already. */
const IS_TIME = /(^|\W)(ms|µs)(\W|$)|\/s\b|processor|of a core/;
const IS_MEMORY = /(^|\W)MiB(\W|$)/;

/** The bound of a figure at the speed, and with the memory, of this run. */
export function scaleBound(what, bound, { passUs, nodeMib }) {
  if (IS_MEMORY.test(what)) return (bound * nodeMib) / REFERENCE.nodeMib;
  return IS_TIME.test(what) ? (bound * passUs) / REFERENCE.passUs : bound;
}

/** What this run is compared with: a fixed piece of work, and the memory of Node.js alone. */
export async function measurePeers() {
  const script = "setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const nodeMib = residentMib(child.pid);
  const closed = once(child, "close");
  child.kill();
  await closed;
  return { passUs: calibrateElapsed(), nodeMib };
}
