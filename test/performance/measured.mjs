// Shared by measurements of node processes.
import { readFileSync } from "node:fs";

/** Waits until a node reports that it is running. */
export function isUp(child) {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      if (output.includes("Ethereum main loop is up.")) resolve();
    });
    child.on("close", (code) => reject(new Error(`the node ended with ${code}:\n${output}`)));
  });
}

/** The memory of a process. */
export function residentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** The most memory that a process had so far. */
export function mostResidentMib(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

const TICKS_PER_SECOND = 100;

/** The processor time of a process so far, of all its threads. */
export function processorSeconds(pid) {
  return secondsIn(`/proc/${pid}/stat`);
}

/** The processor time of the main thread of a process so far. */
export function mainThreadSeconds(pid) {
  return secondsIn(`/proc/${pid}/task/${pid}/stat`);
}

function secondsIn(file) {
  const fields = readFileSync(file, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const CALIBRATIONS = 5;
const PASSES = 400;

/**
 * Microseconds of processor time that a fixed piece of work takes now: JSON, text, maps and large integers, as in a node.
 *
 * Figures divided by it can be compared with those of another machine, or of another hour of this one.
 */
export function calibrate() {
  return calibrateBy(() => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
}

/** The same in elapsed time, which other work of the machine lengthens. */
export function calibrateElapsed() {
  return calibrateBy(() => performance.now() * 1000);
}

function calibrateBy(clockUs) {
  const times = Array.from({ length: CALIBRATIONS }, () => {
    const before = clockUs();
    for (let done = 0; done < PASSES; done++) calibrationPass();
    return (clockUs() - before) / PASSES;
  });
  return median(times);
}

function calibrationPass() {
  const entries = new Map();
  let product = 1n;
  for (let id = 0; id < 20; id++) {
    const to = `0x${id.toString(16).padStart(40, "0")}`;
    const request = JSON.parse(
      JSON.stringify({ id, method: "eth_call", params: [{ to }, "latest"] }),
    );
    entries.set(request.params[0].to, request);
    product = BigInt.asUintN(256, product * 0x1_0000_0000_0000_0001n + BigInt(id));
  }
  if (entries.size !== 20 || product === 0n) throw new Error("the calibration is wrong");
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
