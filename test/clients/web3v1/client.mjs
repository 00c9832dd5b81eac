import { EventEmitter, on } from "node:events";
import Web3 from "web3";

export function connect({ url, wsUrl, account }) {
  const web3 = open(account, url);
  const at = ({ contract, address }, { eth } = web3) => new eth.Contract(contract.abi, address);
  const method = (call) => at(call).methods[call.name](...call.args.map(plain));
  const from = account.address;
  const sockets = [];
  const listen = () => {
    const socket = new Web3(new Web3.providers.WebsocketProvider(wsUrl));
    sockets.push(socket);
    return socket;
  };
  const sendWith = async (call) => {
    const gas = await call.estimateGas({ from });
    return call.send({ from, gas });
  };

  return {
    async deploy({ abi, bytecode }, args) {
      const contract = new web3.eth.Contract(abi);
      const deployed = await sendWith(
        contract.deploy({ data: bytecode, arguments: args.map(plain) }),
      );
      return deployed.options.address;
    },
    read: async (call) => value(await method(call).call()),
    write: async (call) => BigInt((await sendWith(method(call))).gasUsed),
    async sendLegacy(to, amount) {
      const gasPrice = await web3.eth.getGasPrice();
      await web3.eth.sendTransaction({ from, to, value: plain(amount), gas: 21000, gasPrice });
    },
    async send(to, amount) {
      await web3.eth.sendTransaction({ from, to, value: plain(amount), gas: 21000 });
    },
    async fees() {
      const { baseFeePerGas } = await web3.eth.getBlock("latest");
      const gasPrice = BigInt(await web3.eth.getGasPrice());
      return { gasPrice, baseFee: baseFeePerGas === undefined ? undefined : BigInt(baseFeePerGas) };
    },
    estimate: async (call) => BigInt(await method(call).estimateGas({ from })),
    async transfers(contract, address) {
      const events = await at({ contract, address }).getPastEvents("Transfer", { fromBlock: 0 });
      return events.map(transferOf);
    },
    async subscribe(contract, address) {
      const heard = new EventEmitter();
      const transfers = on(heard, "transfer");
      const subscription = at({ contract, address }, listen()).events.Transfer();
      subscription.on("data", (event) => heard.emit("transfer", transferOf(event)));
      await new Promise((resolve, reject) => {
        subscription.on("connected", resolve);
        subscription.on("error", reject);
      });
      return transfers;
    },
    async watchLogs(address) {
      const heard = new EventEmitter();
      const logs = on(heard, "log");
      const forward = ({ blockNumber, removed }) => heard.emit("log", { blockNumber, removed });
      const subscription = listen().eth.subscribe("logs", { address });
      subscription.on("data", forward);
      subscription.on("changed", forward);
      await new Promise((resolve) => subscription.on("connected", resolve));
      return logs;
    },
    async watchHeads() {
      const heard = new EventEmitter();
      const heads = on(heard, "head");
      const subscription = listen().eth.subscribe("newBlockHeaders");
      subscription.on("data", ({ number }) => heard.emit("head", number));
      await new Promise((resolve) => subscription.on("connected", resolve));
      return heads;
    },
    async filter(address) {
      const send = (name, params) =>
        new Promise((resolve, reject) => {
          const request = { jsonrpc: "2.0", id: 1, method: name, params };
          web3.currentProvider.send(request, (error, answer) =>
            error ? reject(error) : resolve(answer.result),
          );
        });
      const id = await send("eth_newFilter", [{ address }]);
      return async () => (await send("eth_getFilterChanges", [id])).length;
    },
    async revert(call) {
      const error = await method(call)
        .call({ from })
        .catch((error) => error);
      const data = error.data?.data ?? error.data;
      return decodeError(web3, call.contract.abi, data);
    },
    async refusal({ from, to, value: amount, nonce, gas }) {
      const client = open(from, url);
      const sent = client.eth.sendTransaction({
        from: from.address,
        to,
        value: plain(amount),
        nonce,
        gas:
          gas === undefined
            ? await client.eth.estimateGas({ from: from.address, to })
            : Number(gas),
      });
      return (await sent.catch((error) => error)).message.split("\n")[0];
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.currentProvider.disconnect();
    },
  };
}

function open({ key }, url) {
  const web3 = new Web3(url);
  web3.eth.transactionPollingInterval = 50;
  web3.eth.accounts.wallet.add(key);
  return web3;
}

/** The library recognizes errors only by their data. */
function decodeError({ eth }, abi, data) {
  const error = abi.find(
    (entry) =>
      entry.type === "error" && eth.abi.encodeFunctionSignature(entry) === data.slice(0, 10),
  );
  const decoded = eth.abi.decodeParameters(error.inputs, `0x${data.slice(10)}`);
  return { name: error.name, args: error.inputs.map((_, index) => value(decoded[index])) };
}

function transferOf({ returnValues: { from, to, value: amount } }) {
  return { from, to, value: value(amount) };
}

/** The library formats numbers as strings. */
function value(text) {
  return /^\d+$/.test(text) ? BigInt(text) : text;
}

function plain(amount) {
  return typeof amount === "bigint" ? amount.toString() : amount;
}
