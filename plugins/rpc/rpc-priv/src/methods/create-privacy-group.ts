import { type Call, type Codec, DecodeError, method, t } from "@plinth/core";
import { enclaveError, getPrivacy, keyOf, privacyError } from "@plinth/plugin-privacy/api";
import type { dependencies } from "../dependencies.js";
import { verifyOrdinary } from "../ordinary-groups.js";

const TEXT = "Invalid create privacy group params";
const MEMBERS = ["addresses", "name", "description"];

const fields = t.object({
  addresses: t.array(t.text),
  name: t.optional(t.text),
  description: t.optional(t.text),
});

/** Parameters of a group; other members are rejected. */
const options: Codec<ReturnType<typeof fields.decode>> = t.withText(
  {
    ...fields,
    decode(json, path = "", reading) {
      const decoded = fields.decode(json, path, reading);
      const unknown = Object.keys(Object(json)).find((name) => !MEMBERS.includes(name));
      if (unknown !== undefined) throw new DecodeError(path, `no member ${unknown}`);
      return decoded;
    },
  },
  TEXT,
);

/** `priv_createPrivacyGroup`: creates a group of some keys. */
export const createPrivacyGroup = method({
  summary: "Creates a privacy group and sends it to the managers of its members.",
  params: { options },
  result: t.text,
  example: {
    params: [{ addresses: ["A1aVtMxLCUHmBVHXoZzzBgPbW/wj5axDpW9X8l91SGo="], name: "Mine" }],
    result: "8lDVI66RZHIrBsolz6Kn88Rd+WsJ4hUjb4hsh29xW/o=",
  },
  async handle({ options }, call: Call<typeof dependencies>) {
    const node = getPrivacy(call.privacy);
    verifyOrdinary(node, call.compatibility);
    const from = keyOf(node, call.client);
    const { addresses, name, description } = options;
    const isTenant = node.nodeKey === undefined;
    if (isTenant && !addresses.includes(from)) {
      throw privacyError("Error communicating with enclave");
    }
    try {
      const group = await node.enclave.createGroup({ addresses, from, name, description });
      return group.privacyGroupId;
    } catch (error) {
      throw enclaveError(error);
    }
  },
});
