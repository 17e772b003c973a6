import { SearchableSelect } from './searchable-select.js';

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
/** Options in the list at once. */
const OPTIONS_MAX = 50;

/** A time zone by its IANA name. Any text is accepted; the server validates it. */
export function TimeZoneField({
  label,
  help,
  value,
  onChange,
}: {
  label: string;
  help?: string;
  value: string;
  onChange: (zone: string) => void;
}) {
  const search = value.toLowerCase().replaceAll(' ', '_');
  const chosen = ZONES.includes(value) ? value : null;
  // The selected zone comes first, followed by all others.
  const found =
    chosen === null
      ? ZONES.filter((zone) => zone.toLowerCase().includes(search))
      : [chosen, ...ZONES.filter((zone) => zone !== chosen)];
  return (
    <SearchableSelect
      label={label}
      {...(help === undefined ? {} : { help })}
      placeholder="UTC"
      text={value}
      onTextChange={onChange}
      selectedId={chosen}
      onSelect={onChange}
      options={found.slice(0, OPTIONS_MAX).map((id) => ({ id, name: id }))}
    />
  );
}
