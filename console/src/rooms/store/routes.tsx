import { Page } from '../../kit/page.js';
export default function Routes() { return <Page title="store">x</Page>; }
