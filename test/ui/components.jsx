import { useState } from 'react';
import { useStreamContext } from '@langchain/langgraph-sdk/react-ui';
import './styles.css';

function Weather({ city }) {
  const [unit] = useState('°C');
  const { meta } = useStreamContext();
  return (
    <p className="weather">
      {city}: 21 {unit}
      {meta?.message ? '!' : ''}
    </p>
  );
}

export default { weather: Weather };
