import { type Call, method, t } from "@plinth/core";
import { getPrivacy } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";

/** `priv_getPrivacyPrecompileAddress`: the recipient of privacy marker transactions. */
export const getPrivacyPrecompileAddress = method({
  summary: "Returns the recipient address of privacy marker transactions.",
  result: t.address,
  example: { params: [], result: "0x000000000000000000000000000000000000007e" },
  handle: (_, { privacy }: Call<typeof dependencies>) => getPrivacy(privacy).markerAddress,
});
