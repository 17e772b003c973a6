import { Page } from '../../kit/page.js';
export default function Routes() { return <Page title="assistants">x</Page>; }
