import { Button as AriaButton, Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import { MoreHorizontal, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFindDenial, type Needs } from './needs.js';
import styles from './menu.module.css';

export interface MenuAction {
  id: string;
  name: string;
  icon?: ReactNode;
  danger?: boolean;
  isDisabled?: boolean;
  /** Without these permissions it is disabled, and says which role or scope it needs. */
  needs?: Needs;
  onAction: () => void;
}

/** The action that opens the confirmation of a deletion. */
export function deleteAction(needs: Needs, onAction: () => void): MenuAction {
  return { id: 'delete', name: 'Delete…', icon: <Trash2 size={15} aria-hidden />, danger: true, needs, onAction };
}

/** A menu of further actions behind a three-dot button. */
export function Menu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <ButtonMenu
      button={
        <AriaButton aria-label={label} className={styles['opener']!}>
          <MoreHorizontal size={17} aria-hidden />
        </AriaButton>
      }
      actions={actions}
    />
  );
}

/** A menu behind any button. */
export function ButtonMenu({ button, actions }: { button: ReactNode; actions: readonly MenuAction[] }) {
  const findDenial = useFindDenial();
  return (
    <MenuTrigger>
      {button}
      <Popover className={styles['popover']!}>
        <AriaMenu className={styles['menu']!}>
          {actions.map(({ id, name, icon, danger = false, isDisabled = false, needs, onAction }) => {
            const denial = needs === undefined ? null : findDenial(needs);
            return (
              <MenuItem
                key={id}
                id={id}
                onAction={onAction}
                isDisabled={isDisabled || denial !== null}
                textValue={name}
                className={`${styles['item']} ${danger ? styles['danger'] : ''} ${denial === null ? '' : styles['denied']}`}
              >
                {icon}
                {denial === null ? (
                  name
                ) : (
                  <span>
                    <span className={styles['deniedName']}>{name}</span>
                    <Text slot="description" className={styles['denial']!}>
                      {denial}
                    </Text>
                  </span>
                )}
              </MenuItem>
            );
          })}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
