import { method, t } from "@plinth/core";
import type { DevHolder } from "../dev.js";
import { message } from "../sign/message.js";
import { hashMessage, signAs } from "../sign/sign.js";

const EXAMPLE = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

/** `eth_sign`: signs a message; the first parameter is the account. */
export const signMessage = (holder: DevHolder) =>
  method({
    summary: "Signs a message with the key of an unlocked account (EIP-191).",
    params: { address: t.address, message },
    result: t.text,
    example: { params: [EXAMPLE, "0x68656c6c6f"], result: `0x${"ab".repeat(65)}` },
    handle: ({ address, message }) => signAs(address, hashMessage(message), holder.current),
  });

/** `personal_sign`: same, but the first parameter is the message. */
export const personalSign = (holder: DevHolder) =>
  method({
    summary: "Signs a message with the key of an unlocked account (EIP-191).",
    params: { message, address: t.address },
    result: t.text,
    example: { params: ["0x68656c6c6f", EXAMPLE], result: `0x${"ab".repeat(65)}` },
    handle: ({ address, message }) => signAs(address, hashMessage(message), holder.current),
  });
