// The peer of the RPC benchmark: a fastify route that parses the body and sends the same bytes.
import Fastify from "fastify";

const [answer] = process.argv.slice(2);
const server = Fastify({ logger: false });
server.post("/", (request, reply) => {
  reply.header("content-type", "application/json");
  return request.body.method === "web3_clientVersion" ? answer : "{}";
});
await server.listen({ host: "127.0.0.1", port: 0 });
console.log(server.server.address().port);
