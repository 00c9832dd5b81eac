import type { HashMeter } from "../hash-meter.js";
import type { WorkDesk } from "../work-desk.js";
import { getWork } from "./get-work.js";
import { hashrate } from "./hashrate.js";
import { submitHashrate } from "./submit-hashrate.js";
import { submitWork } from "./submit-work.js";

/** The methods for miners outside of the node. */
export function createWorkMethods(desk: WorkDesk, meter: HashMeter) {
  return {
    getWork: getWork(desk),
    hashrate: hashrate(meter, desk),
    submitHashrate: submitHashrate(desk),
    submitWork: submitWork(desk),
  };
}
