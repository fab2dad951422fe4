// Talks to an echo with the npm package ws, and prints what came of it, one line per fact.
// node peer.js MODULE URL
const WebSocket = require(process.argv[2]);
const url = process.argv[3];
const options = { rejectUnauthorized: false, perMessageDeflate: true };

function open(path, protocols = []) {
  const socket = new WebSocket(url + path, protocols, options);
  socket.queue = [];
  socket.waiting = [];
  const give = (what) => (socket.waiting.length ? socket.waiting.shift()(what) : socket.queue.push(what));
  socket.on('message', (data, binary) => give((binary ? 'bytes:' : 'text:') + (binary ? data.toString('hex') : data)));
  socket.on('pong', (data) => give('pong:' + data));
  socket.on('close', (code, reason) => give(`close:${code} ${reason}`));
  socket.on('error', (error) => give('error:' + error.message));
  socket.next = () =>
    new Promise((resolve) => (socket.queue.length ? resolve(socket.queue.shift()) : socket.waiting.push(resolve)));
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_, answer) => resolve({ status: answer.statusCode }));
  });
}

async function main() {
  let socket = await open('/echo');
  console.log('extensions ' + (socket.extensions || 'none'));
  socket.send('한국어 🐦');
  console.log('text ' + (await socket.next()));
  socket.send(Buffer.from([0, 255, 128]));
  console.log('binary ' + (await socket.next()));
  socket.send('', { fin: false });
  socket.send('one ', { fin: false });
  socket.ping('in between');
  socket.send('message', { fin: true });
  console.log('fragments ' + (await socket.next()) + ' ' + (await socket.next()));
  const big = 'b'.repeat(3_000_000);
  socket.send(big);
  console.log('big ' + ((await socket.next()) === 'text:' + big));
  socket.close(4001, 'bye');
  console.log('closed ' + (await socket.next()));

  socket = await open('/echo');
  socket.send(Buffer.alloc(5_000_000));
  console.log('too big ' + (await socket.next()).split(' ')[0]);

  socket = await open('/echo');
  socket.send('close');
  console.log('closed by the server ' + (await socket.next()));

  socket = await open('/spoken', ['v3', 'v1']);
  console.log('subprotocol ' + socket.protocol);
  socket.terminate();
  console.log('refused ' + (await open('/nowhere')).status);
}

main()
  .catch((failure) => console.log('failed ' + failure))
  .finally(() => process.exit()); // whatever is still open
