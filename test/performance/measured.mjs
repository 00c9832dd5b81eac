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
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
