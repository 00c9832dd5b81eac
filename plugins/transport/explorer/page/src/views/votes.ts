import { type Engine, readStandingVotes, type StandingVote } from "../authorities.js";
import type { ViewContext } from "../context.js";
import { button, type Child, fill, h, refill } from "../dom.js";
import { addressLink, badge, blockLink } from "../parts/links.js";
import { problem, problemText } from "../parts/problem.js";
import { columns, table } from "../parts/table.js";
import { mayCall } from "../rights.js";
import { attempt, CallError, call } from "../rpc.js";

/** The votes of this node that stand, with buttons for those who may use them. */
export async function votePart(
  context: ViewContext,
  { engine, authors }: { readonly engine: Engine; readonly authors: readonly string[] },
): Promise<Child> {
  const place = h("div", {});
  const counted = h("div", {});
  const result = h("p", { role: "status" });
  const isAllowed = mayCall(engine.propose);
  const change = async (method: string, params: readonly unknown[], done: string) => {
    try {
      await call(method, params);
      fill(result, done);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      fill(result, h("span", { class: "error" }, problemText(error)));
    }
    await update();
  };
  const update = async () => {
    const content = await call<Readonly<Record<string, boolean>>>(engine.votes).then(
      (votes) =>
        voteTable(
          votes,
          mayCall(engine.discard)
            ? (address) =>
                void change(engine.discard, [address], `The vote about ${address} is discarded.`)
            : undefined,
        ),
      (error: unknown) => problem(error),
    );
    if (!context.signal.aborted) fill(place, content);
  };
  await update();
  const count = async () => {
    const votes = await readStandingVotes(engine);
    if (!context.signal.aborted) refill(counted, standingVotes(votes, authors.length));
  };
  await count();
  context.onHead(count);
  const own = (await attempt<string>("eth_coinbase"))?.toLowerCase();
  const isAuthor = own !== undefined && authors.some((each) => each.toLowerCase() === own);
  return [
    h("p", { class: "dim" }, "Votes of this node, which it casts in the blocks that it proposes."),
    own !== undefined &&
      !isAuthor &&
      h(
        "p",
        { class: "notice wait" },
        `This node is not one of the ${engine.authors}: its votes have no effect.`,
      ),
    place,
    counted,
    isAllowed &&
      proposeForm(
        (address, isFor) =>
          void change(
            engine.propose,
            [address, isFor],
            `This node votes to ${isFor ? "add" : "remove"} ${address}.`,
          ),
      ),
    result,
  ];
}

/** The votes of all validators or signers that are counted, by what they are about. */
function standingVotes(votes: readonly StandingVote[] | undefined, authors: number): Child {
  if (votes === undefined) return undefined;
  const needed = Math.floor(authors / 2) + 1;
  const alike = ({ address, isFor }: StandingVote) =>
    votes.filter((other) => other.address === address && other.isFor === isFor).length;
  return [
    h("h3", {}, "Votes that stand"),
    h(
      "p",
      { class: "dim" },
      `Votes in blocks since the last epoch block. ${needed} of ${authors} must vote alike.`,
    ),
    table({
      name: "Votes that stand",
      columns: columns("Voter", "Address", "Vote", "Alike", "Block#"),
      rows: votes.map((vote) => [
        addressLink(vote.voter, true),
        addressLink(vote.address, true),
        vote.isFor ? badge("to add", "good") : badge("to remove", "bad"),
        `${alike(vote)} of ${needed}`,
        blockLink(vote.block),
      ]),
      empty: "None.",
    }),
  ];
}

function voteTable(
  votes: Readonly<Record<string, boolean>>,
  discard: ((address: string) => void) | undefined,
): HTMLElement {
  return table({
    name: "Votes of this node",
    columns: columns("Address", "Vote", ...(discard === undefined ? [] : [""])),
    rows: Object.entries(votes).map(([address, isFor]) => [
      addressLink(address, true),
      isFor ? badge("to add", "good") : badge("to remove", "bad"),
      ...(discard === undefined
        ? []
        : [
            button("Discard", () => discard(address), {
              "aria-label": `Discard the vote about ${address}`,
            }),
          ]),
    ]),
    empty: "No vote of this node stands.",
  });
}

function proposeForm(propose: (address: string, isFor: boolean) => void): HTMLElement {
  const field = h("input", {
    "aria-label": "Address to vote about",
    placeholder: "0x…",
    spellcheck: "false",
    required: true,
  });
  const choice = h(
    "select",
    { "aria-label": "What to vote for" },
    h("option", { value: "add" }, "to add"),
    h("option", { value: "remove" }, "to remove"),
  );
  const note = h("span", { role: "status" });
  const form = h("form", { class: "line" }, field, choice, h("button", {}, "Propose"), note);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = field.value.trim().toLowerCase();
    const isAddress = /^0x[0-9a-f]{40}$/.test(address);
    fill(note, isAddress ? "" : "Enter an address of 20 bytes.");
    if (!isAddress) return;
    propose(address, choice.value === "add");
    field.value = "";
  });
  return form;
}
