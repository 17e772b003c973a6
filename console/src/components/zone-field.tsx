import { Combo } from './combo.js';

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
/** Zones that are offered at once. */
const OFFERED = 50;

/** A time zone by its IANA name. Any name may be typed: which are known is for the server to say. */
export function ZoneField({
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
  const wanted = value.toLowerCase().replaceAll(' ', '_');
  const chosen = ZONES.includes(value) ? value : null;
  // With one chosen the list begins with it, and has all others for another choice.
  const found =
    chosen === null
      ? ZONES.filter((zone) => zone.toLowerCase().includes(wanted))
      : [chosen, ...ZONES.filter((zone) => zone !== chosen)];
  return (
    <Combo
      label={label}
      {...(help === undefined ? {} : { help })}
      placeholder="UTC"
      text={value}
      onText={onChange}
      chosen={chosen}
      onChoose={onChange}
      options={found.slice(0, OFFERED).map((id) => ({ id, name: id }))}
    />
  );
}
