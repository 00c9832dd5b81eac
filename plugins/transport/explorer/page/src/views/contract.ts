import { findArtifact, functionsIn, listArtifacts } from "../abi/book.js";
import { decode } from "../abi/decode.js";
import { encode, InvalidValue, parseInput } from "../abi/encode.js";
import type { Entry } from "../abi/entry.js";
import { canonical } from "../abi/parameter.js";
import { button, type Child, fill, h, link } from "../dom.js";
import { toHex } from "../format.js";
import { transactionLink } from "../parts/links.js";
import { load } from "../parts/load.js";
import { problem } from "../parts/problem.js";
import { valueList } from "../parts/values.js";
import { describeRevert } from "../revert.js";
import { CallError, call } from "../rpc.js";
import { shorten } from "../text.js";
import { findWallet, nodeSigners, type Signer, sendDraft, walletSigners } from "../wallet.js";

/** The functions of a contract: read by anyone, written with a wallet or an account of the node. */
export function contractPanel(address: string, code: string): HTMLElement {
  const artifact = findArtifact(code);
  const functions =
    artifact?.entries.filter(({ kind }) => kind === "function") ?? functionsIn(code);
  const isView = ({ mutability }: Entry) => mutability === "view" || mutability === "pure";
  return h(
    "div",
    {},
    source(artifact?.name),
    h("h3", {}, "Read"),
    functionList(functions.filter(isView), (entry) => readForm(address, entry)),
    h("h3", {}, "Write"),
    load(() =>
      writePart(
        address,
        functions.filter((entry) => !isView(entry)),
      ),
    ),
  );
}

function source(name: string | undefined): HTMLElement {
  if (name !== undefined)
    return h("p", {}, "By the ABI of ", h("bdi", {}, name), ", whose code is the same.");
  const added =
    listArtifacts().length > 0 ? "None of the files that were added has this code. " : "";
  return h(
    "p",
    { class: "dim" },
    added,
    "These are functions of common standards whose selectors are in the code. ",
    link("files", "Add the artifact of the contract"),
    " for all of them.",
  );
}

function functionList(
  functions: readonly Entry[],
  form: (entry: Entry) => HTMLElement,
): HTMLElement {
  if (functions.length === 0) return h("p", { class: "dim" }, "None are known.");
  return h(
    "div",
    {},
    ...functions.map((entry) =>
      h(
        "details",
        { class: "part" },
        h("summary", {}, h("bdi", {}, shorten(entry.signature, 80, 10))),
        form(entry),
      ),
    ),
  );
}

function readForm(address: string, entry: Entry): HTMLElement {
  return inputForm(entry, "Read", async (data) => {
    const result = await call<string>("eth_call", [{ to: address, data }, "latest"]);
    const values = decode(entry.outputs, result);
    return values === undefined ? h("code", { class: "whole" }, result) : valueList(values);
  });
}

async function writePart(address: string, functions: readonly Entry[]): Promise<Child> {
  const select = h("select", { "aria-label": "Account that sends" });
  let signers = await nodeSigners();
  const list = (more: readonly Signer[]) => {
    signers = [...signers, ...more];
    fill(
      select,
      ...signers.map((signer) =>
        h("option", {}, `${signer.address}${signer.place === "wallet" ? " (wallet)" : ""}`),
      ),
    );
  };
  list([]);
  const wallet = findWallet();
  const result = h("p", { role: "alert" });
  const forms = h("div", {});
  const showForms = () => {
    if (signers.length === 0) return;
    fill(
      forms,
      functionList(functions, (entry) =>
        writeForm(address, entry, () => signers[select.selectedIndex]),
      ),
    );
  };
  showForms();
  const connect =
    wallet &&
    button("Connect the wallet", () => {
      walletSigners(wallet).then(
        (found) => {
          list(found);
          showForms();
        },
        (error: unknown) => fill(result, problem(error)),
      );
    });
  if (signers.length === 0 && connect === undefined) {
    return h(
      "p",
      { class: "dim" },
      "The node holds no unlocked accounts, and this browser has no wallet.",
    );
  }
  return [h("p", {}, h("label", {}, "Send from ", select), " ", connect), result, forms];
}

function writeForm(address: string, entry: Entry, signer: () => Signer | undefined): HTMLElement {
  const isPayable = entry.mutability === "payable";
  const value = h("input", { inputmode: "decimal", placeholder: "0" });
  const form = inputForm(entry, "Send", async (data) => {
    const from = signer();
    if (from === undefined) throw new Error("choose an account first");
    const draft = { to: address, data, value: toHex(isPayable ? toWei(value.value) : 0n) };
    return ["Sent: ", transactionLink(await sendDraft(from, draft))];
  });
  if (isPayable) form.prepend(h("label", {}, "Ether ", value));
  return form;
}

function inputForm(
  entry: Entry,
  label: string,
  run: (data: string) => Promise<Child>,
): HTMLFormElement {
  const inputs = entry.inputs.map((parameter) => ({
    parameter,
    field: h("input", { spellcheck: "false", autocomplete: "off" }),
  }));
  const result = h("div", { class: "result", role: "status" });
  const form = h(
    "form",
    { class: "stack" },
    ...inputs.map(({ parameter, field }) =>
      h(
        "label",
        {},
        h("bdi", {}, parameter.name),
        " ",
        h("span", { class: "type" }, canonical(parameter)),
        field,
      ),
    ),
    h("button", {}, label),
    result,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fill(result, "…");
    void outcomeOf(async () => {
      const values = inputs.map(({ parameter, field }) => parseInput(parameter, field.value));
      return run(entry.hash.slice(0, 10) + encode(entry.inputs, values));
    }).then((shown) => fill(result, shown));
  });
  return form;
}

async function outcomeOf(run: () => Promise<Child>): Promise<Child> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof InvalidValue) return h("p", { class: "notice problem" }, error.message);
    if (
      error instanceof CallError &&
      typeof error.data === "string" &&
      error.data.startsWith("0x")
    ) {
      return h("p", { class: "notice problem" }, "Reverts: ", describeRevert(error.data));
    }
    return problem(error);
  }
}

function toWei(text: string): bigint {
  const [, whole = "0", fraction = ""] = /^(\d*)(?:\.(\d{1,18}))?$/.exec(text.trim()) ?? [];
  if (!/^\d*(\.\d{1,18})?$/.test(text.trim()))
    throw new InvalidValue(`${text} is not an amount of ether`);
  return BigInt(`${whole}${fraction.padEnd(18, "0")}`);
}
