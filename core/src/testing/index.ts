export { FakeClock } from "./fake-clock.js";
export { storageDriverContract } from "./storage-driver-contract.js";
