import type { HashMeter } from "../hash-meter.js";
import type { RemoteSealer } from "../remote-sealer.js";
import { getWork } from "./get-work.js";
import { hashrate } from "./hashrate.js";
import { submitHashrate } from "./submit-hashrate.js";
import { submitWork } from "./submit-work.js";

/** The methods for external miners. */
export function createWorkMethods(sealer: RemoteSealer, meter: HashMeter) {
  return {
    getWork: getWork(sealer),
    hashrate: hashrate(meter, sealer),
    submitHashrate: submitHashrate(sealer),
    submitWork: submitWork(sealer),
  };
}
