import type { WorkDesk } from "../work-desk.js";
import { getWork } from "./get-work.js";
import { submitHashrate } from "./submit-hashrate.js";
import { submitWork } from "./submit-work.js";

/** The methods for miners outside of the node. */
export function createWorkMethods(desk: WorkDesk) {
  return {
    getWork: getWork(desk),
    submitHashrate: submitHashrate(desk),
    submitWork: submitWork(desk),
  };
}
