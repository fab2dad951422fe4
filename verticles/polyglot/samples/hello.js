// Hello in JavaScript. Run it:   scripts/vertx run verticles/polyglot/samples/hello.js
// Then:   curl -k https://localhost:9443/         curl -kN https://localhost:9443/ticks
// Each event loop has a copy of this module of its own; docs/guides/javascript.md tells the rest.

export function routes(r) {
  const news = r.topic("news");

  r.filter((req) => req.setHeader("x-powered-by", "Roost"));

  // A string is text, an object is JSON.
  r.get("/", () => "Hello from JavaScript\n");
  r.get("/hello/:name", (req) => ({ hello: req.params.name, times: Number(req.query.times ?? 1) }));

  // An answer may come later.
  r.get("/later", async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { status: 200, headers: { "cache-control": "no-store" }, body: "Hello, later\n" };
  });

  // A number each second, until the client leaves; one that comes back goes on where it was.
  r.sse("/ticks", (stream) => {
    let n = Number(stream.lastEventId ?? 0);
    const tick = () => stream.send({ data: `tick ${++n}`, id: n });
    const timer = setInterval(tick, 1000);
    stream.onClose(() => clearInterval(timer));
    tick();
  });

  // What one client posts, all that follow get, on whichever event loop they are.
  r.post("/news", async (req) => ({ status: 202, body: await news.publish(await req.text()) }));
  r.sse("/news", (stream) => stream.follow(news));
}
