// Random filters for `eth_getLogs` in all their forms, and their expected results by a scan of
// every log.

/** Numbers below a bound, deterministic for a seed. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The code of a contract that logs this many topics from its calldata. */
export function logCode(count) {
  const places = Array.from({ length: count }, (_, index) => (count - 1 - index) * 32);
  const pushes = places.map((at) => `60${at.toString(16).padStart(2, "0")}35`);
  return `0x${pushes.join("")}60006000${(0xa0 + count).toString(16)}`;
}

export const toWord = (value) => `0x${value.toString(16).padStart(64, "0")}`;
export const toQuantity = (number) => `0x${number.toString(16)}`;

/**
 * A filter.
 *
 * `chain` contains the addresses and topics, the length, the hash of each block, and the maximum
 * range of a search that filters neither.
 */
export function randomQuery(random, chain) {
  const criteria = {
    ...some(random, "address", randomAddresses(random, chain)),
    ...some(random, "topics", randomTopics(random, chain)),
  };
  if (random(10) === 0) return { ...criteria, blockHash: chain.hashOf(random(chain.head + 1)) };
  return { ...criteria, ...randomRange(random, chain, isWide(criteria)) };
}

function some(random, name, value) {
  return random(4) === 0 ? {} : { [name]: value };
}

function randomAddresses(random, { addresses }) {
  const pick = () => addresses[random(addresses.length)];
  const kind = random(6);
  if (kind === 0) return [];
  if (kind < 3) return pick();
  return Array.from({ length: 1 + random(3) }, pick);
}

function randomTopics(random, { topics }) {
  const pick = () => topics[random(topics.length)];
  const one = () => {
    const kind = random(6);
    if (kind === 0) return null;
    if (kind === 1) return [];
    if (kind === 2) return [pick(), null];
    return kind === 3 ? [pick(), pick()] : pick();
  };
  return Array.from({ length: random(4) }, one);
}

/** Whether it may match nearly every log. */
function isWide({ topics = [] }) {
  return topics.every((topic) => alternativesOf(topic) === undefined);
}

function randomRange(random, { head, maxWide = head }, wide) {
  const from = random(head + 3);
  const length = wide ? random(Math.min(maxWide, head)) : random(head + 3);
  const kind = random(10);
  if (kind === 0) return { fromBlock: toQuantity(from + 1), toBlock: toQuantity(random(from + 1)) };
  if (kind === 1 && !wide) return { fromBlock: "earliest", toBlock: "latest" };
  if (kind === 2)
    return { fromBlock: toQuantity(Math.max(0, head - length)), toBlock: toQuantity(head + 9) };
  return { fromBlock: toQuantity(from), toBlock: toQuantity(from + length) };
}

/** The matching logs among all, in order. */
export function matching(logs, query, head) {
  const numbers = (block) => ({ earliest: 0, latest: head })[block] ?? Number(block);
  const addresses = [query.address ?? []].flat();
  const topics = (query.topics ?? []).map(alternativesOf);
  return logs.filter(
    (log) =>
      (query.blockHash === undefined
        ? Number(log.blockNumber) >= numbers(query.fromBlock) &&
          Number(log.blockNumber) <= numbers(query.toBlock)
        : log.blockHash === query.blockHash) &&
      (addresses.length === 0 || addresses.includes(log.address)) &&
      topics.every(
        (any, at) => log.topics[at] !== undefined && (any?.includes(log.topics[at]) ?? true),
      ),
  );
}

/** `undefined` if it matches anything. */
function alternativesOf(topic) {
  const topics = [topic].flat();
  return topics.length === 0 || topics.includes(null) ? undefined : topics;
}

/** The identity of a log. */
export const placeOf = ({ blockHash, logIndex }) => `${blockHash} ${Number(logIndex)}`;
