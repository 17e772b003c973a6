import { RunRoom } from './run-room.js';

export default function Routes() {
  return <RunRoom />;
}
