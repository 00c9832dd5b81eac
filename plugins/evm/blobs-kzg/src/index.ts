import { definePlugin } from "@plinth/core";
import { blobProofVerifiers } from "@plinth/core/pool";
import { ProofChecker } from "./proof-checker.js";

export default definePlugin({
  name: "blobs-kzg",
  setup({ contribute, onStop }) {
    const checker = new ProofChecker();
    contribute(blobProofVerifiers, { name: "kzg", verify: (sidecar) => checker.check(sidecar) });
    onStop(() => checker.close());
  },
});
