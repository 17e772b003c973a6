import { Play, Plus, Settings } from 'lucide-react';
import { useState } from 'react';
import { Badge, Status } from '../../components/badge.js';
import { Button, IconButton, ToggleButton } from '../../components/button.js';
import { ConfirmDialog, Dialog } from '../../components/dialog.js';
import { Checkbox, SearchField, Select, Switch, TextArea, TextField } from '../../components/field.js';
import { NumberField } from '../../components/number-field.js';
import { columnFormat, formatBytes, formatCount, formatDuration, formatPercent } from '../../components/format.js';
import { KeyList } from '../../components/key-list.js';
import { deleteAction, Menu } from '../../components/menu.js';
import { EmptyState, ErrorNote, Loading, Note } from '../../components/note.js';
import { DescriptionList, Page, Panel, Toolbar } from '../../components/page.js';
import { StatTile, StatTiles } from '../../components/stat-tile.js';
import { Table } from '../../components/table.js';
import { Tabs } from '../../components/tabs.js';
import { showToast } from '../../components/toast.js';
import { VerdictLabel } from '../../shared/verdict.js';
import styles from './gallery.module.css';

const SURFACES = ['paper', 'paper-sunken', 'paper-raised', 'paper-hover', 'paper-chosen', 'line', 'line-control'];
const MEANINGS = ['accent', 'good', 'bad', 'warn', 'info', 'neutral'];
const STATUSES = ['pending', 'running', 'success', 'error', 'timeout', 'interrupted', 'idle', 'busy'];
const ROWS = [
  { name: 'short-answers', runs: 12, latency: 0.6125, share: 0.5 },
  { name: 'long-answers', runs: 1_280, latency: 12.4, share: 0.8333 },
];

/** Every component in its states. Only the development build has this page. */
export function GalleryPage() {
  const [tab, setTab] = useState('text');
  return (
    <Page
      title="Components"
      crumbs={[{ name: 'Gallery', to: '/' }]}
      badge={<Badge>Development</Badge>}
      about="Each component in its states, in the theme and density of the menu."
      actions={
        <>
          <Button>Cancel</Button>
          <Button variant="primary">
            <Plus size={16} aria-hidden />
            Create
          </Button>
        </>
      }
    >
      <Panel title="Color">
        <Swatches names={SURFACES} />
        <Swatches names={MEANINGS} />
      </Panel>
      <Buttons />
      <Fields />
      <Panel title="Status">
        <div className="row">
          {STATUSES.map((status) => (
            <Status key={status} status={status} />
          ))}
        </div>
        <div className="row">
          {(['neutral', 'good', 'bad', 'warn', 'info'] as const).map((variant) => (
            <Badge key={variant} variant={variant}>
              {variant}
            </Badge>
          ))}
          {(['better', 'worse', 'not_enough_evidence'] as const).map((verdict) => (
            <VerdictLabel key={verdict} verdict={verdict} />
          ))}
        </div>
      </Panel>
      <StatTiles label="Figures">
        <StatTile name="Running" value={formatCount(3)} to="/" variant="info" />
        <StatTile name="Waiting" value={formatCount(1_280)} to="/" variant="warn" />
        <StatTile name="Failed" value={formatPercent(0.029)} to="/" variant="bad" />
        <StatTile name="Stored" value={formatBytes(12_400_000)} to="/" />
      </StatTiles>
      <Panel title="Table" flush>
        <NumberTable />
      </Panel>
      <Panel title="Tabs and text">
        <Tabs
          label="Example"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'text', name: 'Text', content: <TextScale /> },
            { id: 'facts', name: 'Facts', count: 3, content: <Facts /> },
          ]}
        />
      </Panel>
      <Panel title="Empty, loading and error">
        <EmptyState title="No threads yet">Start a run to create one.</EmptyState>
        <Loading />
        <ErrorNote error="The server cannot be reached. Check that it is running." onRetry={() => undefined} />
        {(['info', 'warn', 'good'] as const).map((variant) => (
          <Note key={variant} variant={variant}>
            A note of the kind {variant}.
          </Note>
        ))}
      </Panel>
    </Page>
  );
}

function Swatches({ names }: { names: readonly string[] }) {
  return (
    <div className={styles['swatches']}>
      {names.map((name) => (
        <div key={name}>
          <div className={styles['swatch']} style={{ background: `var(--${name})` }} />
          {name}
        </div>
      ))}
    </div>
  );
}

function Buttons() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Panel title="Buttons, menus and dialogs">
      {[false, true].map((small) => (
        <div key={String(small)} className="row">
          {(['primary', 'plain', 'danger', 'quiet'] as const).map((variant) => (
            <Button key={variant} variant={variant} small={small} onPress={() => showToast(`Pressed ${variant}.`)}>
              <Play size={15} aria-hidden />
              {variant}
            </Button>
          ))}
          <Button small={small} isDisabled>
            Disabled
          </Button>
          <Button small={small} isPending>
            Pending
          </Button>
          <IconButton small={small} label="Settings">
            <Settings size={16} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="row">
        <ToggleButton defaultSelected>Selected</ToggleButton>
        <ToggleButton>Not selected</ToggleButton>
        <Menu label="More" actions={[{ id: 'copy', name: 'Copy', onAction: close }, deleteAction([], close)]} />
        <Button onPress={() => setOpen('dialog')}>Open dialog</Button>
        <Button onPress={() => setOpen('confirm')}>Open confirmation</Button>
      </div>
      <Dialog title="Dialog" isOpen={open === 'dialog'} onClose={close}>
        <KeyList keys={[[['Escape'], 'Closes the dialog']]} />
      </Dialog>
      <ConfirmDialog
        title="Delete this thread?"
        isOpen={open === 'confirm'}
        onClose={close}
        confirmLabel="Delete"
        onConfirm={async () => undefined}
      >
        This cannot be undone.
      </ConfirmDialog>
    </Panel>
  );
}

function Fields() {
  const [text, setText] = useState('support');
  const [isOn, setOn] = useState(true);
  return (
    <Panel title="Fields">
      <Toolbar label="Example filters">
        <SearchField label="Search" value={text} onChange={setText} />
        <Switch value={isOn} onChange={setOn}>
          Errors only
        </Switch>
        <Checkbox value={isOn} onChange={setOn}>
          Include subgraphs
        </Checkbox>
      </Toolbar>
      <div className={styles['fields']}>
        <TextField label="Name" value={text} onChange={setText} help="Shown in lists." />
        <TextField label="With an error" value={text} onChange={setText} error="A dataset has this name already." />
        <NumberField label="Number" value={12} onChange={() => undefined} />
        <Select
          label="Choice"
          value="one"
          options={[
            { id: 'one', name: 'One', detail: 'the first' },
            { id: 'two', name: 'Two' },
          ]}
          onChange={() => undefined}
        />
        <TextArea label="Text" value={text} onChange={setText} />
      </div>
    </Panel>
  );
}

function NumberTable() {
  const seconds = columnFormat(ROWS.map(({ latency }) => latency));
  const score = columnFormat(ROWS.map(({ share }) => share));
  return (
    <Table
      label="Numbers"
      items={ROWS}
      idOf={({ name }) => name}
      columns={[
        { id: 'name', name: 'Experiment', cell: ({ name }) => name },
        { id: 'runs', name: 'Runs', numbers: true, cell: ({ runs }) => formatCount(runs) },
        { id: 'latency', name: 'Latency', numbers: true, cell: ({ latency }) => `${seconds(latency)} s` },
        { id: 'score', name: 'Score', numbers: true, cell: ({ share }) => score(share) },
      ]}
    />
  );
}

function TextScale() {
  return (
    <div className="stack">
      <h2>Heading of a panel</h2>
      <h3>Heading within a panel</h3>
      <p>
        Text of the page, with a <a href="#main">link</a> and <code>code</code>.
      </p>
      <p className="soft">Text of lower weight.</p>
    </div>
  );
}

function Facts() {
  return (
    <DescriptionList
      facts={[
        ['Duration', formatDuration(83_000)],
        ['Size', formatBytes(4_096)],
        ['Rate', formatPercent(0.125)],
      ]}
    />
  );
}
