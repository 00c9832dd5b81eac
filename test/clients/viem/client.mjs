import { EventEmitter, on } from "node:events";
import {
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  http,
  InsufficientFundsError,
  NonceTooLowError,
  publicActions,
  webSocket,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { localhost } from "viem/chains";

/** The development chain has the id of viem's `localhost`. */
const SETTINGS = { chain: localhost, pollingInterval: 50 };

export function connect({ url, wsUrl, account }) {
  const client = open(account, http(url));
  const closing = [];
  const listen = async () => {
    const socket = createPublicClient({ ...SETTINGS, transport: webSocket(wsUrl) });
    const connection = await socket.transport.getRpcClient();
    closing.push(() => connection.close());
    return socket;
  };

  return {
    async deploy({ abi, bytecode }, args) {
      const hash = await client.deployContract({ abi, bytecode, args });
      const { contractAddress } = await client.waitForTransactionReceipt({ hash });
      return contractAddress;
    },
    read: (call) => client.readContract(request(call)),
    async write(call) {
      const hash = await client.writeContract(request(call));
      return (await client.waitForTransactionReceipt({ hash })).gasUsed;
    },
    async sendLegacy(to, value) {
      const hash = await client.sendTransaction({ to, value, type: "legacy" });
      await client.waitForTransactionReceipt({ hash });
    },
    async send(to, value) {
      const hash = await client.sendTransaction({ to, value });
      await client.waitForTransactionReceipt({ hash });
    },
    async fees() {
      const { baseFeePerGas } = await client.getBlock();
      return { gasPrice: await client.getGasPrice(), baseFee: baseFeePerGas ?? undefined };
    },
    estimate: (call) => client.estimateContractGas(request(call)),
    async transfers({ abi }, address) {
      const filter = { abi, address, eventName: "Transfer", fromBlock: "earliest" };
      return (await client.getContractEvents(filter)).map(({ args }) => args);
    },
    async subscribe({ abi }, address) {
      const socket = await listen();
      const heard = new EventEmitter();
      const transfers = on(heard, "transfer");
      const unwatch = socket.watchContractEvent({
        abi,
        address,
        eventName: "Transfer",
        onLogs: ([{ args }]) => heard.emit("transfer", args),
        onError: (error) => heard.emit("error", error),
      });
      closing.unshift(unwatch);
      // A response to a later request: the subscription is established.
      await socket.getBlockNumber();
      return transfers;
    },
    async watchLogs(address) {
      const socket = await listen();
      const heard = new EventEmitter();
      const logs = on(heard, "log");
      const unwatch = socket.watchEvent({
        address,
        onLogs: (found) => {
          for (const { blockNumber, removed } of found) {
            heard.emit("log", { blockNumber: Number(blockNumber), removed });
          }
        },
        onError: (error) => heard.emit("error", error),
      });
      closing.unshift(unwatch);
      await socket.getBlockNumber();
      return logs;
    },
    async watchHeads() {
      const socket = await listen();
      const heard = new EventEmitter();
      const heads = on(heard, "head");
      const unwatch = socket.watchBlocks({
        onBlock: ({ number }) => heard.emit("head", Number(number)),
        onError: (error) => heard.emit("error", error),
      });
      closing.unshift(unwatch);
      await socket.getBlockNumber();
      return heads;
    },
    async filter(address) {
      const filter = await client.createEventFilter({ address });
      return async () => (await client.getFilterChanges({ filter })).length;
    },
    async revert(call) {
      const error = await client.simulateContract(request(call)).catch((error) => error);
      const { data } = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
      return { name: data.errorName, args: data.args ?? [] };
    },
    async refusal({ from, to, value, nonce, gas }) {
      const sent = open(from, http(url)).sendTransaction({ to, value, nonce, gas });
      return nameOf(await sent.catch((error) => error));
    },
    async [Symbol.asyncDispose]() {
      for (const close of closing) close();
    },
  };
}

function open({ key }, transport) {
  const account = privateKeyToAccount(key);
  return createWalletClient({ ...SETTINGS, account, transport }).extend(publicActions);
}

function request({ contract, address, name, args }) {
  return { abi: contract.abi, address, functionName: name, args };
}

const KNOWN_ERRORS = [InsufficientFundsError, NonceTooLowError];

function nameOf(error) {
  const known = error.walk?.((cause) => KNOWN_ERRORS.some((known) => cause instanceof known));
  return known?.name ?? String(error);
}
